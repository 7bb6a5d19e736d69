#!/bin/bash
#SBATCH --job-name=kalahari
#SBATCH --array=0-{last}
#SBATCH --cpus-per-task={cpus}
#SBATCH --mem={memory}
#SBATCH --time={time}
#SBATCH --output={log}
#SBATCH --open-mode=append
#SBATCH --requeue
{partition}
#
#   bash job.sh            submits all shards, and the merge after them
#   bash job.sh 17,40-42   submits these shards only, and the merge
#
# A task may be killed, requeued or run twice at the same time: a shard is written whole and renamed into place, and one that is
# there and sound is not done again.
set -eu

kalahari={program}
experiment={experiment}
shards={shards}
out={out}
targets=({targets})

if [ -z "${SLURM_ARRAY_TASK_ID-}" ]; then
  # On the machine that submits: mistakes are found before anything waits in the queue, and no task has to make the plan.
  self="$(realpath "$0")"
  mkdir -p "$out/log"
  "$kalahari" shards plan "$experiment" --out "$out" {scale} >"$out/log/plan.log"
  array="$(sbatch --parsable --array="${1-0-$((shards - 1))}" "$self")"
  array="${array%%;*}"
  # Not afterok: a task that was killed would keep it from ever running.
  line="$(printf '%q ' "$kalahari" merge "$out" "${targets[@]}" --shards "$shards" --resubmit "bash $(printf '%q' "$self")")"
  merge="$(sbatch --parsable --dependency="afterany:$array" --job-name=kalahari-merge --output="$out/log/merge-%j.log" --wrap "$line")"
  echo "submitted: array $array, merge ${merge%%;*}; what is missing will be listed in $out/log/merge-${merge%%;*}.log"
  exit
fi

# Files that bots and engines make during the run stay on the machine that runs them.
scratch="$(mktemp -d "${SLURM_TMPDIR:-${TMPDIR:-/tmp}}/kalahari-XXXXXX")"
trap 'rm -rf "$scratch"' EXIT
export TMPDIR="$scratch"
"$kalahari" run "$experiment" --shards "$shards" --shard "$SLURM_ARRAY_TASK_ID" --out "$out" --threads "${SLURM_CPUS_PER_TASK:-1}"
