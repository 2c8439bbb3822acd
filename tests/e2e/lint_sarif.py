"""Checks SARIF output on standard input against the object model of SARIF 2.1.0 (OASIS), as far as lint uses it: the
properties that each object may and must have, their types, and the ranges of regions. argv: the expected number of results."""

import json
import sys
from urllib.parse import urlsplit

# object: (required, {property: type or object name or [object name]})
MODEL = {
    "log": ({"version", "runs"}, {"$schema": str, "version": str, "runs": ["run"], "properties": dict}),
    "run": (
        {"tool"},
        {"tool": "tool", "results": ["result"], "columnKind": str, "originalUriBaseIds": dict, "invocations": list, "artifacts": list, "properties": dict},
    ),
    "tool": ({"driver"}, {"driver": "driver", "extensions": list}),
    "driver": ({"name"}, {"name": str, "version": str, "semanticVersion": str, "informationUri": str, "rules": ["rule"], "organization": str, "fullName": str}),
    "rule": (
        {"id"},
        {"id": str, "name": str, "shortDescription": "text", "fullDescription": "text", "help": "text", "helpUri": str, "defaultConfiguration": "configuration", "properties": dict},
    ),
    "configuration": (set(), {"enabled": bool, "level": str, "rank": float, "parameters": dict}),
    "text": ({"text"}, {"text": str, "markdown": str, "id": str, "arguments": list}),
    "result": (
        {"message"},
        {
            "ruleId": str,
            "ruleIndex": int,
            "level": str,
            "kind": str,
            "message": "text",
            "locations": ["location"],
            "relatedLocations": ["location"],
            "fixes": ["fix"],
            "partialFingerprints": dict,
            "fingerprints": dict,
            "properties": dict,
        },
    ),
    "fix": ({"artifactChanges"}, {"description": "text", "artifactChanges": ["change"]}),
    "change": ({"artifactLocation", "replacements"}, {"artifactLocation": "artifact", "replacements": ["replacement"]}),
    "replacement": ({"deletedRegion"}, {"deletedRegion": "region", "insertedContent": "content"}),
    "content": (set(), {"text": str, "binary": str}),
    "location": (set(), {"id": int, "physicalLocation": "physical", "message": "text", "logicalLocations": list}),
    "physical": ({"artifactLocation"}, {"artifactLocation": "artifact", "region": "region", "contextRegion": "region"}),
    "artifact": (set(), {"uri": str, "uriBaseId": str, "index": int}),
    "region": (set(), {"startLine": int, "startColumn": int, "endLine": int, "endColumn": int, "charOffset": int, "charLength": int, "snippet": dict}),
}


def check(value, name, where, errors):
    required, known = MODEL[name]
    if not isinstance(value, dict):
        errors.append(f"{where}: an object is expected")
        return
    errors.extend(f"{where}: lacks {key}" for key in sorted(required - set(value)))
    for key, part in value.items():
        kind = known.get(key)
        at = f"{where}.{key}"
        if kind is None:
            errors.append(f"{at}: no property of {name}")
        elif isinstance(kind, str):
            check(part, kind, at, errors)
        elif isinstance(kind, list):
            for i, item in enumerate(part):
                check(item, kind[0], f"{at}[{i}]", errors)
        elif not isinstance(part, kind) or (kind is int and isinstance(part, bool)):
            errors.append(f"{at}: {kind.__name__} is expected")


def check_result(result, rules, where, errors):
    if result.get("ruleIndex", -1) not in range(len(rules)) or rules[result["ruleIndex"]] != result.get("ruleId"):
        errors.append(f"{where}: rule {result.get('ruleId')} is not listed at {result.get('ruleIndex')}")
    if result.get("level") not in ("none", "note", "warning", "error"):
        errors.append(f"{where}: level {result.get('level')}")
    for location in result["locations"] + result.get("relatedLocations", []):
        place = location["physicalLocation"]
        if urlsplit(place["artifactLocation"]["uri"]).path != place["artifactLocation"]["uri"]:
            errors.append(f"{where}: no relative reference: {place['artifactLocation']['uri']}")
        region = place["region"]
        start, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
        if min(start + end) < 1 or end < start:
            errors.append(f"{where}: region {region}")


def main():
    log, errors = json.load(sys.stdin), []
    check(log, "log", "log", errors)
    if not errors:
        run = log["runs"][0]
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        if any("markdown" not in rule["help"] for rule in run["tool"]["driver"]["rules"]):
            errors.append("a rule has no page")
        if not any("fixes" in result for result in run["results"]):
            errors.append("no result has a fix")
        if log["version"] != "2.1.0" or run.get("columnKind") not in ("utf16CodeUnits", "unicodeCodePoints"):
            errors.append("version or columnKind")
        for i, result in enumerate(run["results"]):
            check_result(result, rules, f"result {i}", errors)
        if len(run["results"]) != int(sys.argv[1]):
            errors.append(f"{len(run['results'])} results, {sys.argv[1]} expected")
    for line in errors:
        print("lint_sarif.py:", line)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
