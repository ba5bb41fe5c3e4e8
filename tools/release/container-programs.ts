// Runs Podman and Buildah for tests without a registry of images: with a store of their own, and a base of Debian's packages.

import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programPath } from '../programs/programs.ts'

const run = promisify(execFile)
const PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1', 'ca-certificates', 'tzdata', 'base-files', 'dash']
/** Words that nobody reads in a container. */
const REMOVED = 'rm -rf "$1"/usr/share/locale "$1"/usr/share/man "$1"/usr/share/info'

/** crun fails in containers of continuous integration, and a container may open no more files than they may. Netavark resolves names of containers. */
const CONTAINERS_CONF = `[containers]
default_ulimits=["nofile=20000:20000","nproc=4096:4096"]
[engine]
cgroup_manager="cgroupfs"
runtime="runc"
events_logger="file"
[network]
network_backend="netavark"
`

export type ContainerPrograms = Awaited<ReturnType<typeof startContainerPrograms>>

/** Makes an empty store of images in a temporary folder; `remove` removes it. The containers must have ended by then. */
export async function startContainerPrograms() {
  programPath('containers')
  const folder = mkdtempSync(join(tmpdir(), 'nc-image-'))
  const storage = `[storage]\ndriver="vfs"\ngraphroot="${folder}/images"\nrunroot="${folder}/run"\n`
  writeFileSync(join(folder, 'storage.conf'), storage)
  writeFileSync(join(folder, 'containers.conf'), CONTAINERS_CONF)
  const own = {
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    // Hooks of the tests themselves are not for the programs in a container.
    NODE_OPTIONS: '',
  }
  const env = { ...process.env, ...own }
  const call = async (program: string, args: string[], cwd = folder, more = {}): Promise<string> =>
    (await run(program, args, { cwd, env: { ...env, ...more }, maxBuffer: 16 * 1024 * 1024 })).stdout.trim()
  return {
    folder,
    call,
    podman: (...args: string[]) => call('podman', args),
    build: (cwd: string, ...args: string[]) =>
      call('buildah', ['bud', '--format', 'docker', '--isolation', 'chroot', '--network', 'host', ...args], cwd),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Builds an image of Debian's libraries and of the Node that runs this. @returns its name */
export async function buildBase({ folder, call, build }: ContainerPrograms): Promise<string> {
  const context = join(folder, 'base')
  mkdirSync(context)
  const include = `--include=${PACKAGES.join(',')}`
  await call(
    'mmdebstrap',
    ['--variant=extract', include, `--extract-hook=${REMOVED}`, 'bookworm', 'rootfs.tar'],
    context,
  )
  copyFileSync(process.execPath, join(context, 'node'))
  await call('strip', ['node'], context)
  writeFileSync(join(context, 'Containerfile'), 'FROM scratch\nADD rootfs.tar /\nCOPY node /usr/local/bin/node\n')
  await build(context, '--tag', 'localhost/nc-base:test', '.')
  return 'localhost/nc-base:test'
}
