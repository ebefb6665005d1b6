import { expect, test } from 'vitest'
import { releaseNotes } from '../../infra/release/release-notes.ts'
import { projectFile } from './tree.ts'

const { version } = JSON.parse(projectFile('package.json')) as { version: string }

test('the changelog, the lock file and the manifests have the version of the package', () => {
  expect(projectFile('CHANGELOG.md')).toMatch(
    new RegExp(`^## ${RegExp.escape(version)} - \\d{4}-\\d\\d-\\d\\d$`, 'm'),
  )
  expect(JSON.parse(projectFile('package-lock.json'))).toMatchObject({ version })
  const files = [
    'infra/README.md',
    'infra/backup.md',
    'infra/k8s/migrate.yaml',
    'infra/k8s/kustomization.yaml',
  ]
  const tags = files.flatMap((file) => [
    ...projectFile(file).matchAll(/(?:millrace:|newTag: )(\d+\.\d+\.\d+)/g),
  ])
  expect(tags.length).toBeGreaterThan(4)
  for (const [, tag] of tags) expect(tag).toBe(version)
})

test('a version is released with the newest section, when nothing is unreleased', () => {
  const changelog =
    '# C\n\n## Unreleased\n\n## 1.2.0 - 2026-11-22\n\n### Added\n\n- A thing.\n\n## 1.1.0 - 2026-10-01\n\n- B.\n'
  expect(releaseNotes(changelog, '1.2.0')).toBe('### Added\n\n- A thing.\n')
  const faultOf = (text: string, wanted = '1.2.0') => {
    try {
      return releaseNotes(text, wanted)
    } catch (error) {
      return String(error)
    }
  }
  expect(faultOf(changelog, '1.3.0')).toContain('the newest section must be "1.3.0')
  expect(faultOf(changelog.replace('Unreleased\n', 'Unreleased\n\n- More.\n'))).toContain(
    'lines under Unreleased',
  )
  expect(faultOf(changelog.replace(' - 2026-11-22', ''))).toContain('the newest section')
  expect(faultOf(changelog.replace('## Unreleased\n', ''))).toContain('first section must be Unreleased')
  expect(faultOf(changelog.replace('### Added\n\n- A thing.\n', ''))).toContain('is empty')
})
