import { lookup } from 'node:dns'
import { describe, expect, test } from 'vitest'
import { openEngine } from '#lib/executors/docker/client.ts'
import { addressRule, guardedLookup } from '#lib/executors/metadata-addresses.ts'

describe('without exceptions', () => {
  const isAllowed = addressRule([])

  test.each([
    '169.254.169.254',
    '169.254.0.1',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '0:0:0:0:0:FFFF:A9FE:A9FE',
    '::169.254.169.254',
    '::a9fe:a9fe',
    '::ffff:0:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::168.63.129.16',
    '64:ff9b:1::169.254.169.254',
    '64:ff9b:1:a9fe:a9:fe00::',
    '64:ff9b:1:1a9:fe:a9fe::',
    '64:ff9b:1:1:a9:fea9:fe00:0',
    '2002:a9fe:a9fe::1',
    '2001:0:a9fe:a9fe::',
    '2001:0:808:808:0:0:5601:5601',
    '2001:db8::5efe:169.254.169.254',
    '2001:db8::200:5efe:169.254.169.254',
  ])('%s is refused', (address) => {
    expect(isAllowed(address)).toBe(false)
  })

  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '::1',
    '::',
    '10.0.0.1',
    '192.168.1.1',
    'fd00::1',
    '8.8.8.8',
    '64:ff9b::8.8.8.8',
    '::ffff:10.0.0.1',
    '2002:808:808::1',
    '2606:4700::1111',
  ])('%s is allowed', (address) => {
    expect(isAllowed(address)).toBe(true)
  })
})

test('an exception applies to every spelling of its address', () => {
  const isAllowed = addressRule(['169.254.0.0/16'])
  expect(isAllowed('169.254.169.254')).toBe(true)
  expect(isAllowed('64:ff9b::a9fe:a9fe')).toBe(true)
  expect(isAllowed('fd20:ce::254')).toBe(false)
})

test.each(['2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518'])(
  '%s, which the resolver reads as an address, is refused',
  async (name) => {
    const found = await new Promise<string | undefined>((resolve) => {
      lookup(name, (_, address) => resolve(address))
    })
    const error = await new Promise<Error | null>((resolve) => {
      guardedLookup(addressRule([]))(name, {}, (refused) => resolve(refused))
    })
    expect(error?.message).toMatch(found === undefined ? /ENOTFOUND|EAI_AGAIN/ : /metadata address/)
  },
)

test.each(['tcp://169.254.169.254/latest', 'http://2852039166:80', 'tcp://[64:ff9b::a9fe:a9fe]:80'])(
  'a step must not name %s as its container engine, but the deployment may',
  (address) => {
    const settings = { httpAllow: [], jqPath: undefined }
    expect(() => openEngine({ env: { DOCKER_HOST: address }, settings })).toThrow('metadata address')
    const docker = { host: address }
    expect(openEngine({ env: {}, settings: { ...settings, docker } }).address).toBe(address)
  },
)
