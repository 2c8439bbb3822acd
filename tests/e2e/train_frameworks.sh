#!/usr/bin/env bash
# assay run on a user's own programs of JAX, TensorFlow and Keras: right ones pass, print the same as without assay and are traced as
# often; faults planted behind the compiler are found and named. A hunt reduces what XLA makes of a mean of large integers, and its script shows it.
. "$(dirname "$0")/lib.sh"
export TF_ENABLE_ONEDNN_OPTS=0 TF_CPP_MIN_LOG_LEVEL=3 JAX_PLATFORMS=cpu
export XLA_FLAGS="--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1" # as the worker has them
cp -r "$root/tests/programs/frameworks/." "$work"
mkdir "$work/keras-jax"
cp "$work/keras/small.py" "$work/keras-jax"
cp "$work/jax/nothing.py" "$work/keras-jax"

declare -A backends=([jax]=jax [tensorflow]=tensorflow [keras]=tensorflow [keras-jax]=jax)
for target in jax tensorflow keras keras-jax; do
    has_framework $target || continue
    cd "$work/$target" || exit 70
    mkdir "$work/told-$target" "$work/alone-$target"
    mapfile -t programs < <(ls -- *.py | grep -v planted)
    "$assay" run "${programs[@]}" --target $target 2>/dev/null | split_cases "$work/told-$target/" ""
    KERAS_BACKEND=${backends[$target]} print_alone "$(interpreter $target)" "import ${target%-*}" "$work/alone-$target" "${programs[@]}"
    for file in "${programs[@]}"; do
        told=$work/told-$target/$file
        sed -n 's/^# expect: //p' "$file" >"$work/wanted"
        while read -r code words; do
            expect "$target: $file" 0 "$code" cat "$told.code"
            expect "$target: $file: what is told" 0 "$words" cat "$told.out"
        done <"$work/wanted"
        case $file in fault_*) continue ;; esac
        check "$target: $file prints what it prints alone" diff "$work/alone-$target/$file" <(sed '/^summary:/,$d' "$told.out")
    done
done

has_framework tensorflow || finish
cd "$work" || exit 70
mkdir mean # a script beside the folders above would import them for frameworks
cat >mean.py <<'PY'
import tensorflow as tf


@tf.function(jit_compile=True)
def mean(values, scale):
    doubled = tf.concat([values, values], 0)
    return tf.reduce_mean(doubled, axis=0) * scale, tf.reduce_max(values)


for scale in (1, 2):
    print(mean(tf.constant([2**31 - 1, 2**31 - 1]), tf.constant(scale)))
PY
expect "a hunt finds what XLA makes of a mean" 1 "1 bug" "$assay" hunt --target tensorflow --generator corpus --model mean.py --cases 1 --pilots 1 --out out
id=$("$assay" bugs --out out --json | "$python" -c 'import json, sys; print(json.load(sys.stdin)[0]["id"])')
expect "it is reduced to the mean" 0 "tf.raw_ops.Mean" "$assay" show "$id" --out out
"$assay" report "$id" --out out --format script >mean/script.py
expect "its script shows it" 1 "tf.function call 1" "$(interpreter tensorflow)" mean/script.py
sed -i 's/MODE = "written"/MODE = "eager"/' mean/script.py
expect "and is silent without XLA" 0 "tf.function call 1" "$(interpreter tensorflow)" mean/script.py
finish
