if sys.argv[1:] == ["run"]:
    outputs(make())
    sys.exit(0)
try:  # in a process of its own, because the framework dies or hangs
    code = subprocess.run([sys.executable, __file__, "run"], timeout=$SECONDS).returncode
except subprocess.TimeoutExpired:
    code = "no answer in $SECONDS s"
if code in (0, 1):
    print("as expected: the model runs" if code == 0 else "cannot be checked here: another error")
    sys.exit(2 * code)
print("the process died:", code)
print("the bug is there")
sys.exit(1)
