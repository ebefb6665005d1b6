import * as v from 'valibot'
import { count, environment, fields, flag, text, textOrList } from './words.ts'

/** Values of `pull` and similar fields, including the older true and false. */
export const pull = v.union(
  [v.picklist(['always', 'missing', 'never'], 'always, missing or never'), v.boolean()],
  'always, missing or never',
)

export const Container = v.union(
  [
    text,
    fields(
      'a container',
      {
        exec: v.optional(text),
        image: v.optional(text),
        name: v.optional(text),
        pullPolicy: v.optional(pull),
        env: v.optional(environment),
        volumes: v.optional(v.array(text, 'a list of host:container texts')),
        user: v.optional(v.union([text, count], 'a user')),
        workingDir: v.optional(text),
        platform: v.optional(text),
        ports: v.optional(v.array(v.union([text, count], 'a port, or host:container'), 'a list of ports')),
        network: v.optional(text),
        keepContainer: v.optional(flag),
        startup: v.optional(
          v.picklist(['keepalive', 'entrypoint', 'command'], 'keepalive, entrypoint or command'),
        ),
        command: v.optional(textOrList),
        waitFor: v.optional(v.picklist(['running', 'healthy'], 'running or healthy')),
        logPattern: v.optional(text),
        restartPolicy: v.optional(
          v.picklist(['no', 'always', 'unless-stopped'], 'no, always or unless-stopped'),
        ),
      },
      {
        older: { workDir: 'workingDir', dir: 'workingDir', pull: 'pullPolicy', containerName: 'name' },
        notOffered: { healthcheck: '', shell: '' },
      },
    ),
  ],
  'the name of a running container, or a map with an image',
)
