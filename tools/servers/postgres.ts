// Starts a private PostgreSQL cluster on a free port of this machine, with a random password.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programPath } from '../programs/programs.ts'
import {
  createPlace,
  findFreePort,
  type Place,
  type Server,
  type ServerOptions,
  startServer,
} from './server-process.ts'

const USER = 'nc'

// Settings of a careful operator (fsync and full_page_writes stay on), with less memory.
const CONFIG = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
shared_buffers = 64MB
max_wal_size = 512MB
log_timezone = 'UTC'
timezone = 'UTC'
`

// For many short tests: commits are not synced to the disk, so data does not survive a crash of the machine.
const UNSYNCED = `
fsync = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
max_connections = 400
`

export interface PostgresOptions extends ServerOptions {
  /** Survives a crash of the machine (default true). Data survives killed processes in either case. */
  isDurable?: boolean
  /** A server whose changes this one follows, as a replica that only reads. */
  replicaOf?: Pick<Server, 'url'>
  /** Settings that override those above, such as `shared_buffers=1GB`. */
  settings?: string[]
}

/** Starts a server. Its `url` names the database `postgres`, as its owner. @throws when PostgreSQL is not installed */
export async function startPostgres({
  folder,
  port,
  isDurable = true,
  replicaOf,
  settings = [],
}: PostgresOptions = {}): Promise<Server> {
  const programs = programPath('postgres')
  const place = createPlace('postgres', folder)
  const data = join(place.folder, 'cluster')
  try {
    const password = existsSync(data)
      ? readFileSync(join(place.folder, 'password'), 'utf8').trim()
      : replicaOf === undefined
        ? await createCluster(place, data, programs, isDurable ? CONFIG : CONFIG + UNSYNCED)
        : await copyCluster(place, data, programs, replicaOf.url)
    const taken = port ?? (await findFreePort())
    return await startServer(`postgres://${USER}:${password}@127.0.0.1:${taken}/postgres`, place, {
      path: join(programs, 'postgres'),
      args: ['-D', data, '-p', String(taken), ...settings.flatMap((setting) => ['-c', setting])],
      isReady: async (pid) => isReady(data, pid),
      // Fast shutdown: disconnects clients and writes all data.
      stopSignal: 'SIGINT',
    })
  } catch (error) {
    await place.cleanup.clear()
    throw error
  }
}

/** Copies the files of a running server, with the settings of a replica. @returns the password, which is the same */
async function copyCluster(place: Place, data: string, programs: string, url: string): Promise<string> {
  const { username, password, hostname, port } = new URL(url)
  const args = ['-D', data, '-h', hostname, '-p', port, '-U', username, '--write-recovery-conf', '--checkpoint=fast']
  await promisify(execFile)(join(programs, 'pg_basebackup'), [...args, '--no-sync'], {
    ...place.owner,
    cwd: place.folder,
    env: { PGPASSWORD: password },
  })
  writePassword(place, password)
  return password
}

function writePassword(place: Place, password: string): string {
  const file = join(place.folder, 'password')
  writeFileSync(file, `${password}\n`, { mode: 0o600 })
  if (place.owner !== undefined) chownSync(file, place.owner.uid, place.owner.gid)
  return file
}

async function createCluster(place: Place, data: string, programs: string, config: string): Promise<string> {
  const password = randomBytes(18).toString('hex')
  const passwordFile = writePassword(place, password)
  const args = [
    '-D',
    data,
    '-U',
    USER,
    '--pwfile',
    passwordFile,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--no-sync',
  ]
  await promisify(execFile)(join(programs, 'initdb'), [...args, ...(await localeOf(programs))], {
    ...place.owner,
    cwd: place.folder,
  })
  appendFileSync(join(data, 'postgresql.conf'), config)
  return password
}

/**
 * Chooses an ICU collation, which many installations have, so that code that relies on byte order must say so.
 * Versions before 15 cannot use ICU as the default; they get C.
 */
async function localeOf(programs: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)(join(programs, 'postgres'), ['--version'])
  const version = Number(/(\d+)/.exec(stdout)?.[1])
  return version >= 15 ? ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US'] : ['--locale=C']
}

/** Reads postmaster.pid like pg_ctl: line 1 has the process id, line 8 the state. */
function isReady(data: string, pid: number): boolean {
  const path = join(data, 'postmaster.pid')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
}

/** Runs each statement by psql as the owner, in its own transaction. @throws with psql's error output */
export async function runSql(url: string, ...statements: string[]): Promise<string> {
  const programs = programPath('postgres')
  const { username, password, hostname, port, pathname } = new URL(url)
  const { stdout } = await promisify(execFile)(
    join(programs, 'psql'),
    ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', ...statements.flatMap((statement) => ['-c', statement])],
    {
      cwd: '/',
      env: { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: password, PGDATABASE: pathname.slice(1) },
    },
  )
  return stdout.trim()
}
