/** A static access key, or the URL where the platform serves temporary keys. */
export type BucketCredentials =
  | {
      readonly accessKeyId: string
      readonly secretAccessKey: string
      readonly sessionToken: string | undefined
    }
  | {
      readonly url: string
      readonly token: string | undefined
      readonly tokenFile: string | undefined
    }

/** Standard variables that every S3 client reads. */
export interface AwsVariables {
  readonly AWS_REGION?: string | undefined
  readonly AWS_ACCESS_KEY_ID?: string | undefined
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined
  readonly AWS_SESSION_TOKEN?: string | undefined
  readonly AWS_CONTAINER_CREDENTIALS_RELATIVE_URI?: string | undefined
  readonly AWS_CONTAINER_CREDENTIALS_FULL_URI?: string | undefined
  readonly AWS_CONTAINER_AUTHORIZATION_TOKEN?: string | undefined
  readonly AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE?: string | undefined
}

const ecs = '169.254.170.2'
/** Loopback, and the addresses of ECS and EKS Pod Identity. All other hosts must use TLS. */
const plainHttpHost =
  /^(localhost|127(\.\d+){3}|\[::1\]|169\.254\.170\.2|169\.254\.170\.23|\[fd00:ec2::23\])$/

/**
 * The credentials for a bucket: the access key in the variables, otherwise the role of the container.
 * @throws Error when there is neither, or the role would be requested over plain HTTP
 */
export function bucketCredentials(aws: AwsVariables): BucketCredentials {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = aws
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    return { accessKeyId, secretAccessKey, sessionToken: aws.AWS_SESSION_TOKEN }
  }
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } = aws
  const url = path === undefined ? full : `http://${ecs}${path}`
  if (url === undefined || accessKeyId !== undefined || secretAccessKey !== undefined) {
    throw new Error(
      'MILLRACE_LOG_STORE: a bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role of a container ' +
        '(AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or AWS_CONTAINER_CREDENTIALS_FULL_URI)',
    )
  }
  const { protocol, hostname } = URL.parse(url) ?? {}
  if (protocol !== 'https:' && (protocol !== 'http:' || !plainHttpHost.test(hostname ?? ''))) {
    const [name, text] = path === undefined ? ['FULL', full] : ['RELATIVE', path]
    throw new Error(
      `AWS_CONTAINER_CREDENTIALS_${name}_URI=${JSON.stringify(text)}: must be https, or http on this machine ` +
        'or at the addresses of ECS and EKS',
    )
  }
  return {
    url,
    token: aws.AWS_CONTAINER_AUTHORIZATION_TOKEN,
    tokenFile: aws.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE,
  }
}
