if sys.argv[1:] == ["run"]:
    load(model)(feeds)
    sys.exit(0)
try:  # in a process of its own, because the engine dies or hangs
    code = subprocess.run([sys.executable, __file__, "run"], timeout=$SECONDS).returncode
except subprocess.TimeoutExpired:
    code = "no answer in $SECONDS s"
if code == 0:
    print("as expected: the model runs")
elif code == 1:
    print("cannot be checked here: another error")
    code = 2
else:
    print("the process died:", code)
    print("the bug is there")
    code = 1
sys.exit(code)
