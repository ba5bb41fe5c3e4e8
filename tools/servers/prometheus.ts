// Starts a private Prometheus on a free port of this machine, with given rules, that scrapes one target every second.

import { execFile } from 'node:child_process'
import { chownSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { programPath } from '../programs/programs.ts'
import { createPlace, findFreePort, type Server, startServer } from './server-process.ts'

export interface PrometheusOptions {
  /** The scrape job. */
  job: string
  /** Host and port. */
  target: string
  /** The text of a file of rules. */
  rules: string
}

/** Starts a server. @throws when Prometheus is not installed */
export async function startPrometheus({ job, target, rules }: PrometheusOptions): Promise<Server> {
  const path = programPath('prometheus')
  const place = createPlace('prometheus')
  try {
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    const config = {
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['rules.yaml'],
      scrape_configs: [{ job_name: job, static_configs: [{ targets: [target] }] }],
    }
    // JSON is YAML.
    for (const [name, text] of Object.entries({ 'rules.yaml': rules, 'prometheus.yaml': JSON.stringify(config) })) {
      writeFileSync(join(place.folder, name), text, { mode: 0o600 })
      if (place.owner !== undefined) chownSync(join(place.folder, name), place.owner.uid, place.owner.gid)
    }
    return await startServer(url, place, {
      path,
      args: [
        '--config.file=prometheus.yaml',
        '--storage.tsdb.path=series',
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=warn',
      ],
      isReady: () =>
        fetch(`${url}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      stopSignal: 'SIGTERM',
    })
  } catch (error) {
    await place.cleanup.clear()
    throw error
  }
}

/** Runs promtool with an input. @returns its exit status and all that it printed */
export function runPromtool(args: string[], input = ''): Promise<{ status: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(join(dirname(programPath('prometheus')), 'promtool'), args, (_error, stdout, stderr) =>
      resolve({ status: child.exitCode, output: stdout + stderr }),
    )
    child.stdin?.end(input)
  })
}
