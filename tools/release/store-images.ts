// Builds images of PostgreSQL, Redis and HAProxy from Debian's packages, under the names of the official ones.

import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContainerPrograms } from './container-programs.ts'

const PACKAGES = [
  ...['base-files', 'libc-bin', 'dash', 'coreutils', 'util-linux'],
  ...['postgresql-15', 'postgresql-client-15', 'redis-server', 'haproxy'],
]
const USERS = ['root:x:0:0::/root:/bin/sh', 'postgres:x:999:999::/:/bin/sh', 'haproxy:x:99:99::/:/bin/sh']
const GROUPS = ['root:x:0:', 'postgres:x:999:', 'haproxy:x:99:']

/** Runs in the unpacked packages: leaves out what the servers do not load, and adds what installations make. */
const HOOK = `set -e; cd "$1"
rm -rf usr/share/locale usr/share/man usr/share/doc usr/share/perl* usr/lib/*/perl* usr/lib/*/libLLVM* usr/lib/postgresql/15/lib/llvmjit*
mkdir -p run tmp var/lib/postgresql/data && ln -s /run var/run
chmod 1777 tmp
printf '${USERS.join('\\n')}\\n' > etc/passwd
printf '${GROUPS.join('\\n')}\\n' > etc/group`

/** What the official images have. */
const IMAGES = [
  {
    name: 'docker.io/library/postgres:17-bookworm',
    lines: ['CMD ["postgres"]', 'VOLUME /var/lib/postgresql/data', 'STOPSIGNAL SIGINT'],
  },
  { name: 'docker.io/library/redis:7.2-bookworm', lines: ['CMD ["redis-server"]'] },
  {
    name: 'docker.io/library/haproxy:3.2',
    lines: [
      'CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]',
      'USER haproxy',
      'STOPSIGNAL SIGUSR1',
    ],
  },
]

/** Builds the three images. */
export async function buildStoreImages({ folder, call, build }: ContainerPrograms): Promise<void> {
  const context = join(folder, 'stores')
  mkdirSync(context)
  const include = `--include=${PACKAGES.join(',')}`
  await call('mmdebstrap', ['--variant=extract', include, `--extract-hook=${HOOK}`, 'bookworm', 'rootfs.tar'], context)
  copyFileSync(join(import.meta.dirname, 'store-images/entrypoint.sh'), join(context, 'entrypoint.sh'))
  const first = [
    'FROM scratch',
    'ADD rootfs.tar /',
    'COPY entrypoint.sh /usr/local/bin/',
    'ENV PATH=/usr/local/bin:/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'ENTRYPOINT ["entrypoint.sh"]',
  ]
  const base = 'localhost/nc-stores:test'
  writeFileSync(join(context, 'Containerfile'), first.join('\n'))
  await build(context, '--tag', base, '.')
  for (const { name, lines } of IMAGES) {
    writeFileSync(join(context, 'Containerfile'), [`FROM ${base}`, ...lines].join('\n'))
    await build(context, '--tag', name, '.')
  }
}
