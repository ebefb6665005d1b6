/**
 * Virtual file systems of the kernel (linux/magic.h). Their files look regular, but reading one may block, never end or
 * expose memory of the service, and writing one changes the machine.
 */
const types: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
  0x62656570, // configfs
  0xcafe4a11, // bpf
  0xf97cff8c, // selinuxfs
  0xde5e81e4, // efivarfs
  0x6165676c, // pstore
  0x42494e4d, // binfmt_misc
  0x19800202, // mqueue
  0x65735543, // fusectl
  0x6e736673, // nsfs
])

/** @param type `type` of `statfs` */
export function isOfKernel(type: number): boolean {
  return process.platform === 'linux' && types.has(type >>> 0)
}
