#!/bin/sh
# Creates the two jobs of Cloud Scheduler: the tick every minute, runners every hour. Run it again to change values.
#   infra/cloudrun/scheduler.sh PROJECT REGION URL_OF_THE_API TICK_TOKEN
set -eu
[ $# -eq 4 ] || {
  echo "usage: $0 PROJECT REGION URL_OF_THE_API TICK_TOKEN" >&2
  exit 2
}
project=$1 region=$2 url=${3%/} token=$4

# replace_job NAME OPTION…: creates a scheduler job; an existing one is deleted first.
replace_job() {
  name=$1
  shift
  gcloud scheduler jobs delete "$name" --project "$project" --location "$region" --quiet 2>/dev/null || true
  gcloud scheduler jobs create http "$name" --project "$project" --location "$region" --http-method POST "$@"
}

replace_job millrace-tick --schedule '* * * * *' --uri "$url/api/v2/tick" --headers "Authorization=Bearer $token" \
  --attempt-deadline 55s

# The service account may start this job and nothing else.
account=millrace-clock@$project.iam.gserviceaccount.com
gcloud iam service-accounts describe "$account" --project "$project" >/dev/null 2>&1 ||
  gcloud iam service-accounts create millrace-clock --project "$project"
gcloud run jobs add-iam-policy-binding millrace-runner --project "$project" --region "$region" \
  --member "serviceAccount:$account" --role roles/run.invoker
replace_job millrace-runner --schedule '0 * * * *' --oauth-service-account-email "$account" \
  --uri "https://run.googleapis.com/v2/projects/$project/locations/$region/jobs/millrace-runner:run"
