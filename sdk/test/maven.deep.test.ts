// Builds and tests the SDK for Java and its examples by Maven; each case of Maven is a test here.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { programPath } from '../../tools/programs/programs.ts'
import { type LiveTarget, startLive } from '../live/live.ts'
import { readJUnit } from './junit.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const MODULES = ['sdk/java', 'sdk/java-json-schema', 'examples/java-plain', 'examples/spring-boot']
const REPORTS = MODULES.map((module) => join(ROOT, module, 'target/surefire-reports'))
const MAVEN = ['--batch-mode', '--no-transfer-progress', '--quiet', '--file', 'tools/test/java/pom.xml', 'verify']

interface Ran {
  status: number
  output: string
}

/** Runs beside this process, which serves the tests meanwhile. */
function run(program: string, args: string[], added: Record<string, string>): Promise<Ran> {
  return new Promise((end) => {
    const env = { ...process.env, ...added }
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) => chunks.push(Buffer.from(String(error))))
    child.on('close', (status) => end({ status: status ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}

function runMaven(target: LiveTarget, home: string): Promise<Ran> {
  for (const folder of REPORTS) rmSync(folder, { recursive: true, force: true })
  const path = join(room, 'target.json')
  writeFileSync(path, JSON.stringify(target), { mode: 0o600 })
  // A short program is faster without the second compiler.
  const added = { JAVA_HOME: home, NC_LIVE_TARGET: path, MAVEN_OPTS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' }
  return run(programPath('maven'), MAVEN, added)
}

/** Runs the example, which Maven has built, as modules against the live server. */
function runExample({ url, secrets }: LiveTarget, home: string): Promise<Ran> {
  const folder = join(ROOT, 'examples/java-plain/target')
  const path = [join(folder, 'java-plain-0.1.0.jar'), join(folder, 'modules')].join(delimiter)
  const main = 'org.notificationcenter.example/org.notificationcenter.example.Plain'
  return run(join(home, 'bin/java'), ['--module-path', path, '--module', main, '--once'], {
    AUTH_SECRET_KEY: secrets.authSecretKey,
    SDK_SECRET_KEY: secrets.sdkSecretKey,
    WEBHOOK_SIGNING_SECRET: secrets.webhookSigningSecret,
    NOTIFICATION_URL: url,
  })
}

// Before the tests, because their names are in its reports.
const room = mkdtempSync(join(tmpdir(), 'nc-java-'))
const live = await startLive()
const home = programPath('java')
const maven = await runMaven(live.target, home)
const example = maven.status === 0 ? await runExample(live.target, home) : undefined
await live.stop()
rmSync(room, { recursive: true, force: true })

test('Maven ends without a fault', () => {
  expect(maven.status, maven.output).toBe(0)
})

test('the plain example runs on the module path', () => {
  expect(example).toMatchObject({ status: 0, output: expect.stringMatching(/^stored: evt_/) })
})

for (const { name, outcome, failure } of readJUnit(REPORTS)) {
  test.skipIf(outcome === 'skipped')(name, () => {
    expect(outcome, failure).toBe('passed')
  })
}
