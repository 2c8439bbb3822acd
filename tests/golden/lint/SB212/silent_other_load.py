import json

json.load(open('x'))
