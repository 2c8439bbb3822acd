-- Lost cases are few among many results, and every list of bugs counts them.
CREATE INDEX result_lost ON result (campaign, case_at) WHERE kind = 'lost';
