import * as v from 'valibot'
import { isLogStoreUrl, logStoreForms } from '../log-store-location.ts'
import { setting } from './setting.ts'
import { number } from './values.ts'

export const logStoreSettings = {
  MILLRACE_LOG_STORE: setting(
    v.pipe(v.string(), v.check(isLogStoreUrl, logStoreForms)),
    '[file:<data folder>/logs; postgres: when DATABASE_URL is given]',
    'Where logs are stored: file:<folder>, postgres:, or s3://<bucket>/<prefix>?region=…&endpoint=….',
    'url',
  ),
  MILLRACE_LOG_MAX_MB: setting(
    number(1, 4_096, ' MB'),
    '1024',
    'Largest size of each log of a step, in MB.',
    'text',
  ),
  AWS_REGION: setting(v.string(), 'us-east-1', 'Region of the log bucket when its URL names none.', 'text'),
  AWS_ACCESS_KEY_ID: setting(v.string(), '[none]', 'Access key id for the log bucket.', 'hidden'),
  AWS_SECRET_ACCESS_KEY: setting(v.string(), '[none]', 'Secret of that access key.', 'secret'),
  AWS_SESSION_TOKEN: setting(v.string(), '[none]', 'Session token, for temporary access keys.', 'secret'),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: setting(
    v.string(),
    '[none]',
    'Set by ECS. Without an access key, the role of the task is used for the log bucket.',
    'hidden',
  ),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: setting(
    v.string(),
    '[none]',
    'Set by EKS Pod Identity. Without an access key, the role of the pod is used.',
    'hidden',
  ),
  AWS_CONTAINER_AUTHORIZATION_TOKEN: setting(
    v.string(),
    '[none]',
    'Token that authorizes the request for the keys of the role.',
    'secret',
  ),
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: setting(
    v.string(),
    '[none]',
    'File with that token, read at each request.',
    'text',
  ),
} as const
