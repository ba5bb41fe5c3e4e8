// Tests DATABASE_URL as providers, drivers and operators write it.

import { describe, expect, test } from 'vitest'
import { readDatabaseUrl } from './database-url.ts'

const LOGIN = 'ada:p%40ss'
test.each<[string, string, string, string[]]>([
  [
    'Neon',
    `postgresql://${LOGIN}@ep-1.eu.aws.neon.tech/db?sslmode=require&channel_binding=require`,
    `postgresql://${LOGIN}@ep-1.eu.aws.neon.tech/db?sslmode=require`,
    ['channel_binding'],
  ],
  [
    'Supabase',
    `postgresql://postgres:${'pw'}@db.abc.supabase.co:5432/postgres`,
    'postgresql://postgres:pw@db.abc.supabase.co:5432/postgres',
    [],
  ],
  [
    'Supabase for Prisma',
    `postgres://u:pw@db.abc.supabase.co/postgres?pgbouncer=true&connection_limit=1`,
    'postgres://u:pw@db.abc.supabase.co/postgres',
    ['pgbouncer', 'connection_limit'],
  ],
  [
    'RDS',
    `postgres://${LOGIN}@x.eu-west-1.rds.amazonaws.com:5432/nc?sslmode=verify-full&sslrootcert=/etc/global-bundle.pem`,
    `postgres://${LOGIN}@x.eu-west-1.rds.amazonaws.com:5432/nc?sslmode=verify-full`,
    ['sslrootcert'],
  ],
  [
    'Heroku',
    'postgres://u:pw@ec2-1.compute-1.amazonaws.com:5432/d1',
    'postgres://u:pw@ec2-1.compute-1.amazonaws.com:5432/d1',
    [],
  ],
  ['ssl=true of other drivers', 'postgres://u:pw@h/nc?ssl=true', 'postgres://u:pw@h/nc?sslmode=require', []],
  [
    'options of libpq',
    'postgres://u:pw@h/nc?connect_timeout=10&application_name=x&target_session_attrs=read-write',
    'postgres://u:pw@h/nc',
    ['connect_timeout', 'application_name', 'target_session_attrs'],
  ],
  ['a schema', 'postgres://u:pw@h/nc?schema=public', 'postgres://u:pw@h/nc', ['schema']],
  ['a socket', 'postgres:///nc?host=/var/run/postgresql', 'postgres://localhost/nc?host=%2Fvar%2Frun%2Fpostgresql', []],
  [
    'a socket with a login',
    `postgresql://${LOGIN}@/nc?host=/var/run/postgresql`,
    `postgresql://${LOGIN}@localhost/nc?host=%2Fvar%2Frun%2Fpostgresql`,
    [],
  ],
  [
    'a socket in the place of the host',
    'postgres://%2Fvar%2Frun%2Fpostgresql/nc',
    'postgres://localhost/nc?host=%2Fvar%2Frun%2Fpostgresql',
    [],
  ],
  [
    'a socket with its port before the folder',
    `postgres://${LOGIN}@:5433/nc?host=/tmp`,
    `postgres://${LOGIN}@localhost:5433/nc?host=%2Ftmp`,
    [],
  ],
  [
    'a socket with its port in the place of the host',
    'postgres://%2Ftmp:5433/nc',
    'postgres://localhost:5433/nc?host=%2Ftmp',
    [],
  ],
  [
    'a socket with its port beside the folder',
    'postgres:///nc?host=/tmp&port=5433',
    'postgres://localhost:5433/nc?host=%2Ftmp',
    [],
  ],
  [
    'a socket, which is not encrypted',
    'postgres:///nc?host=/tmp&sslmode=prefer',
    'postgres://localhost/nc?host=%2Ftmp',
    [],
  ],
])('the address of %s is read', (_who, given, url, ignored) => {
  expect(readDatabaseUrl(given)).toEqual({ url, ignored })
})

describe('what changes whom the server connects to is refused', () => {
  test.each([
    'postgres://h/nc?host=other.example',
    'postgres://h/nc?host=/tmp',
    'postgres://h/nc?user=eve',
    'postgres://h/nc?password=secret',
    'postgres://h/nc?dbname=other',
    'postgres://h/nc?hostaddr=10.0.0.1',
    'postgres://h/nc?port=6432',
    'postgres:///nc?host=/tmp&port=x',
    'postgres://localhost:5432/nc?host=/tmp&port=5433',
    'postgres:///nc',
    'postgres://u@/nc',
    'postgres:///?host=/tmp',
    'postgres://h/nc?sslmode=require&sslmode=disable',
    'postgres://h/nc?ssl=perhaps',
    'postgres://u:p@ss/word@h:5432/nc',
    'postgres://u:12/34@h/nc',
    'postgres://h/nc/other',
  ])('%s', (given) => {
    expect(() => readDatabaseUrl(given)).toThrow(/^an address/)
  })
})
