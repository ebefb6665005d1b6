#!/bin/sh
# The two clocks of Cloud Scheduler: the tick every minute, runners every hour.
#   infra/cloudrun/scheduler.sh PROJECT REGION URL_OF_THE_API TICK_TOKEN
set -eu
project=$1 region=$2 url=$3 token=$4

gcloud scheduler jobs create http millrace-tick --project "$project" --location "$region" --schedule '* * * * *' \
  --uri "$url/api/v2/tick" --http-method POST --headers "Authorization=Bearer $token" --attempt-deadline 55s

# The account may start this one job, nothing else.
account=millrace-clock@$project.iam.gserviceaccount.com
gcloud iam service-accounts create millrace-clock --project "$project"
gcloud run jobs add-iam-policy-binding millrace-runner --project "$project" --region "$region" \
  --member "serviceAccount:$account" --role roles/run.invoker
gcloud scheduler jobs create http millrace-runner --project "$project" --location "$region" --schedule '0 * * * *' \
  --uri "https://run.googleapis.com/v2/projects/$project/locations/$region/jobs/millrace-runner:run" \
  --http-method POST --oauth-service-account-email "$account"
