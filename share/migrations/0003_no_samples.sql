-- Tables that nothing wrote and nothing read.
DROP TABLE sample;
DROP TABLE worker;
