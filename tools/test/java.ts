// Builds and tests the SDK for Java and its examples by Maven; writes the counts as JSON to the first argument's file.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { startLive } from '../../contract/live/live.ts'
import { programPath } from '../programs/programs.ts'
import { countJUnit } from './junit-results.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const MODULES = ['sdk/java', 'examples/java-plain', 'examples/spring-boot']
const REPORTS = MODULES.map((module) => join(ROOT, module, 'target/surefire-reports'))
const MAVEN = ['--batch-mode', '--no-transfer-progress', '--quiet', '--file', 'tools/test/java/pom.xml', 'verify']

const resultFile = process.argv[2]
if (resultFile === undefined) throw new Error('the file for the counts must be named')
for (const folder of REPORTS) rmSync(folder, { recursive: true, force: true })

const room = mkdtempSync(join(tmpdir(), 'nc-java-'))
const live = await startLive()
try {
  const home = programPath('java')
  const target = join(room, 'target.json')
  writeFileSync(target, JSON.stringify(live.target), { mode: 0o600 })
  // A short program is faster without the second compiler.
  const added = { JAVA_HOME: home, NC_LIVE_TARGET: target, MAVEN_OPTS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' }
  const maven = await run(programPath('maven'), MAVEN, added)
  process.stdout.write(maven.output)
  const counts = countJUnit(REPORTS)
  if (counts !== undefined) {
    const example = maven.status === 0 ? await runExample(join(home, 'bin/java')) : undefined
    if (example === '') counts.passed += 1
    else counts.failures.push(`examples/java-plain on the module path: ${example ?? 'was not run'}`)
    counts.failed = counts.failures.length
    writeFileSync(resultFile, JSON.stringify(counts))
  }
  process.exitCode = maven.status
} finally {
  await live.stop()
  rmSync(room, { recursive: true, force: true })
}

/** Runs the example as modules against the live server. @returns '' or its output, when it failed */
async function runExample(java: string): Promise<string> {
  const { authSecretKey, sdkSecretKey, webhookSigningSecret } = live.target.secrets
  const folder = join(ROOT, 'examples/java-plain/target')
  const path = [join(folder, 'java-plain-0.1.0.jar'), join(folder, 'modules')].join(delimiter)
  const main = 'org.notificationcenter.example/org.notificationcenter.example.Plain'
  const { status, output } = await run(java, ['--module-path', path, '--module', main, '--once'], {
    AUTH_SECRET_KEY: authSecretKey,
    SDK_SECRET_KEY: sdkSecretKey,
    WEBHOOK_SIGNING_SECRET: webhookSigningSecret,
    NOTIFICATION_URL: live.target.url,
  })
  return status === 0 && /^stored: evt_/.test(output) ? '' : `exit ${status}: ${output}`
}

/** Runs beside this process, which serves the tests meanwhile. */
function run(
  program: string,
  args: string[],
  added: Record<string, string>,
): Promise<{ status: number; output: string }> {
  return new Promise((end) => {
    const env = { ...process.env, ...added }
    const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) => chunks.push(Buffer.from(String(error))))
    child.on('close', (status) => end({ status: status ?? 1, output: Buffer.concat(chunks).toString() }))
  })
}
