// Tests the chart of `deploy/chart`: what it renders and refuses, by Helm and the schemas of Kubernetes, and that its Pod runs.

import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { programPath } from '../programs/programs.ts'
import { runPromtool } from '../servers/prometheus.ts'
import { findFreePort } from '../servers/server-process.ts'
import { type ContainerPrograms, startContainerPrograms } from './container-programs.ts'
import { expectFirstMessage, readTitles, untilReady } from './first-message.ts'
import { buildServerImage, VERSION } from './server-image.ts'
import { buildStoreImages } from './store-images.ts'

const CHART = resolve(import.meta.dirname, '../../deploy/chart')
/** The oldest that the chart names, and the newest whose schema is known. */
const KUBERNETES = ['1.25', '1.37']
const HELM = 'helm.sh/helm/v3/cmd/helm@v3.16.4'
const OPERATOR_SCHEMAS = '@kubernetes-models/prometheus-operator@6.0.0'
const NETWORK = `nc-chart-${process.pid}`

const ALERTS = readFileSync(join(CHART, '../monitoring/alerts.yaml'), 'utf8')
const MASTER_KEY = randomBytes(32).toString('base64')
const PASSWORD = randomBytes(24).toString('hex')
const basic = {
  image: { repository: 'localhost/notification-center' },
  publicUrl: 'https://notify.example.com/inbox',
}
const stores = {
  masterKey: MASTER_KEY,
  databaseUrl: `postgres://notifications:${PASSWORD}@${NETWORK}-postgres:5432/notifications`,
  redisUrl: `redis://${NETWORK}-redis:6379`,
}
const VALUES = {
  cluster: { ...basic, secret: stores },
  'one node on PostgreSQL': {
    ...basic,
    replicas: 1,
    secret: { masterKey: MASTER_KEY, databaseUrl: stores.databaseUrl },
  },
  everything: {
    ...basic,
    secret: { existing: 'own-secret' },
    settings: { LOG_LEVEL: 'warn', RATE_LIMITS: 'off' },
    ingress: { enabled: true, className: 'nginx', annotations: { a: 'b' }, tlsSecret: 'tls' },
    networkPolicy: { from: [{ podSelector: {} }], egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }] },
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
    prometheusRule: { alerts: ALERTS, labels: { release: 'prometheus' }, runbook: 'https://wiki.example.com/runbook' },
    imagePullSecrets: [{ name: 'registry' }],
    podAnnotations: { a: 'b' },
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    tolerations: [{ operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
  },
  sqlite: { ...basic, secret: { masterKey: MASTER_KEY }, sqlite: { enabled: true, storageClass: 'local' } },
}

/** Parts of an object of Kubernetes that the tests read. */
interface Rendered {
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  data: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: each kind has another one.
  spec: any
}

let programs: ContainerPrograms
let tools: string

beforeAll(async () => {
  programs = await startContainerPrograms()
  tools = join(programs.folder, 'python')
  await programs.call('pip3', ['install', '--quiet', '--target', tools, 'kubernetes-validate'])
  await programs.call(programPath('go'), ['install', HELM], programs.folder, { GOBIN: programs.folder })
})
afterAll(() => programs?.remove())

const helm = (...args: string[]) => programs.call(join(programs.folder, 'helm'), args)

let files = 0
/** Writes a file of values, or of objects. JSON is YAML. @returns its path */
function writeFile(text: string): string {
  files += 1
  const path = join(programs.folder, `${files}.yaml`)
  writeFileSync(path, text)
  return path
}

/** Renders the chart as `helm install nc` does. @throws with the message of the chart */
async function render(values: object, kubernetes = KUBERNETES[0] as string): Promise<Rendered[]> {
  const args = ['--values', writeFile(JSON.stringify(values)), '--kube-version', kubernetes]
  const text = await helm('template', 'nc', CHART, ...args)
  const script = 'import json, sys, yaml; print(json.dumps([d for d in yaml.safe_load_all(open(sys.argv[1])) if d]))'
  const json = await programs.call('python3', ['-c', script, writeFile(text)], programs.folder, { PYTHONPATH: tools })
  return JSON.parse(json)
}

const kindsOf = (objects: Rendered[]) => objects.map(({ kind }) => kind).sort()
function find(objects: Rendered[], kind: string): Rendered {
  const found = objects.find((object) => object.kind === kind)
  if (found === undefined) throw new Error(`The chart renders no ${kind}.`)
  return found
}

test('it has the version of the release, and Helm finds no fault', async () => {
  const chart = readFileSync(join(CHART, 'Chart.yaml'), 'utf8')
  expect(chart).toContain(`\nversion: ${VERSION}\nappVersion: ${VERSION}\n`)
  await helm('lint', '--strict', CHART)
  for (const values of Object.values(VALUES)) {
    await helm('lint', '--strict', CHART, '--values', writeFile(JSON.stringify(values)))
  }
})

test.each([
  ['without a secret', { ...basic }, /set secret\.existing .* or secret\.masterKey/],
  [
    'without a database',
    { ...basic, secret: { masterKey: MASTER_KEY } },
    /set secret\.databaseUrl, or sqlite\.enabled/,
  ],
  ['several nodes without Redis', { ...basic, secret: { ...stores, redisUrl: '' } }, /set secret\.redisUrl/],
  ['without its address', { ...VALUES.cluster, publicUrl: '' }, /set publicUrl/],
  ['without an image', { ...VALUES.cluster, image: {} }, /set image\.repository/],
  ['SQLite with a database', { ...VALUES.cluster, sqlite: { enabled: true } }, /sqlite\.enabled excludes/],
  ['an unknown value', { ...VALUES.cluster, replica: 2 }, /replica is not allowed/],
  ['a secret among the settings', { ...VALUES.cluster, settings: { MASTER_KEY } }, /settings/],
  ['an address without a scheme', { ...VALUES.cluster, publicUrl: 'notify.example.com' }, /publicUrl/],
])('it refuses to render %s', async (_, values, message) => {
  await expect(render(values)).rejects.toThrow(message)
})

describe.each(Object.entries(VALUES))('with the values of %s', (name, values) => {
  test.each(KUBERNETES)('what it renders is right for Kubernetes %s', async (version) => {
    const objects = await render(values, version)
    const args = ['--strict', '--no-warn', '-k', version]
    for (const object of objects.filter(({ kind }) => !OF_OPERATOR.includes(kind))) {
      const out = await programs.call(
        join(tools, 'bin/kubernetes-validate'),
        [...args, writeFile(JSON.stringify(object))],
        programs.folder,
        { PYTHONPATH: tools },
      )
      expect(out).toMatch(/passed for resource/)
    }
    expect(new Set(objects.map((object) => object.metadata.name))).toEqual(new Set(['nc-notification-center']))
    expect(kindsOf(objects)).toEqual(KINDS[name as keyof typeof VALUES])
  })

  test('its Pod is hardened, and no probe asks helpers', async () => {
    const deployment = find(await render(values), 'Deployment').spec
    const { spec } = deployment.template
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
    })
    // A stop takes up to 15 s.
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(20)
    const [server] = spec.containers
    expect(server.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(server.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(server.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(server.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
    expect(JSON.stringify(spec)).not.toContain(MASTER_KEY)
  })
})

const OF_OPERATOR = ['PrometheusRule', 'ServiceMonitor']
const ALWAYS = ['Deployment', 'NetworkPolicy', 'Service']
const KINDS: Record<keyof typeof VALUES, string[]> = {
  cluster: [...ALWAYS, 'PodDisruptionBudget', 'Secret'].sort(),
  'one node on PostgreSQL': [...ALWAYS, 'Secret'].sort(),
  everything: [...ALWAYS, 'Ingress', 'PodDisruptionBudget', ...OF_OPERATOR].sort(),
  sqlite: [...ALWAYS, 'PersistentVolumeClaim', 'Secret'].sort(),
}

test('nodes run on different machines where possible, and SQLite has one alone', async () => {
  const several = find(await render(VALUES.cluster), 'Deployment').spec
  expect(several.replicas).toBe(3)
  const [term] = several.template.spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution
  expect(term.podAffinityTerm.topologyKey).toBe('kubernetes.io/hostname')
  const one = find(await render(VALUES.sqlite), 'Deployment').spec
  expect(one).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
})

test('the Ingress has the host and the path of publicUrl, and a changed secret starts the nodes anew', async () => {
  const ingress = find(await render(VALUES.everything), 'Ingress').spec
  expect(ingress.rules[0]).toMatchObject({ host: 'notify.example.com', http: { paths: [{ path: '/inbox' }] } })
  const checksum = async (secret: object) =>
    find(await render({ ...basic, secret }), 'Deployment').spec.template.metadata.annotations['checksum/secret']
  expect(await checksum(stores)).not.toBe(await checksum({ ...stores, smtpUrl: 'smtp://mail.example.com' }))
})

test('the objects of the Prometheus Operator fit its schemas, the job has the name of the alerts, and these are whole', async () => {
  const home = join(programs.folder, 'operator')
  await programs.call('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', home, OPERATOR_SCHEMAS])
  const base = join(home, 'node_modules/@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1')
  const objects = await render(VALUES.everything)
  for (const kind of OF_OPERATOR) {
    const url = pathToFileURL(join(base, `${kind}.js`)).href
    const script = `const m = await import(${JSON.stringify(url)}); new (m.${kind} ?? m.default.${kind})(${JSON.stringify(find(objects, kind))}).validate()`
    await programs.call(process.execPath, ['--input-type=module', '--eval', script])
    expect(find(objects, kind).metadata.labels.release).toBe('prometheus')
  }
  const [endpoint] = find(objects, 'ServiceMonitor').spec.endpoints
  expect(endpoint.relabelings).toEqual([{ action: 'replace', targetLabel: 'job', replacement: 'notification-center' }])
  const service = find(objects, 'Service')
  expect(service.metadata.labels).toMatchObject(find(objects, 'ServiceMonitor').spec.selector.matchLabels)
  expect(service.spec.ports.map(({ name }: { name: string }) => name)).toContain(endpoint.port)

  const rules = find(objects, 'PrometheusRule').spec
  expect(rules.groups[0].rules).toHaveLength(12)
  expect(rules.groups[0].rules[0].annotations.runbook_url).toMatch(/^https:\/\/wiki\.example\.com\/runbook#/)
  expect((await runPromtool(['check', 'rules', writeFile(JSON.stringify(rules))])).status).toBe(0)
})

describe('its Pod, which Podman runs', () => {
  beforeAll(async () => {
    await buildServerImage(programs)
    await buildStoreImages(programs)
    await programs.podman('network', 'create', NETWORK)
  })
  afterAll(async () => {
    await programs.podman('pod', 'rm', '--force', '--all')
    await programs.podman('rm', '--force', '--all')
    await programs.podman('network', 'rm', '--force', NETWORK)
  })

  /** Starts one Pod of those that were rendered. @returns the addresses of its ports, and the name of its container */
  async function play(objects: Rendered[], kinds: string[]) {
    const played = structuredClone(objects.filter(({ kind }) => kinds.includes(kind)))
    const { spec } = find(played, 'Deployment')
    spec.replicas = 1
    const urls: Record<string, string> = {}
    // Podman publishes each port, by the same number where none is given.
    for (const port of spec.template.spec.containers[0].ports) {
      Object.assign(port, { hostPort: await findFreePort(), hostIP: '127.0.0.1' })
      urls[port.name] = `http://127.0.0.1:${port.hostPort}`
    }
    const file = writeFile(played.map((object) => JSON.stringify(object)).join('\n---\n'))
    await programs.podman('play', 'kube', '--network', NETWORK, file)
    const { http: url = '', metrics = '' } = urls
    return { url, metrics, server: 'nc-notification-center-pod-0-server' }
  }

  /** Ends the Pod as a cluster does. @returns the exit status */
  async function end(server: string): Promise<string> {
    await programs.podman('stop', '--time', '30', server)
    const status = await programs.podman('inspect', '--format', '{{.State.ExitCode}}', server)
    await programs.podman('pod', 'rm', '--force', '--all')
    return status
  }

  /** Podman 4 keeps the data of a Secret as JSON. */
  async function createSecret(objects: Rendered[]): Promise<void> {
    const { metadata, data } = find(objects, 'Secret')
    await programs.podman('secret', 'create', metadata.name, writeFile(JSON.stringify(data)))
    onTestFinished(() => programs.podman('secret', 'rm', metadata.name).then(() => {}))
  }

  async function copyDemo(server: string): Promise<string> {
    const file = join(programs.folder, 'demo.json')
    await programs.podman('cp', `${server}:/data/store/demo.json`, file)
    return file
  }

  const seeded = <T extends object>(values: T) => ({
    ...values,
    publicUrl: 'https://notify.example.com',
    settings: { SEED_DEMO: 'plain' },
  })

  test('it serves on PostgreSQL and Redis without rights, and its metrics have a port of their own', async () => {
    const database = ['POSTGRES_USER=notifications', 'POSTGRES_DB=notifications', `POSTGRES_PASSWORD=${PASSWORD}`]
    const settings = database.flatMap((setting) => ['--env', setting])
    const run = (name: string, ...rest: string[]) =>
      programs.podman('run', '--detach', '--network', NETWORK, '--name', `${NETWORK}-${name}`, ...rest)
    await run('postgres', ...settings, 'docker.io/library/postgres:17-bookworm')
    await run('redis', 'docker.io/library/redis:7.2-bookworm', 'redis-server', '--protected-mode', 'no')
    const objects = await render(seeded(VALUES.cluster))
    await createSecret(objects)
    const { url, server, metrics } = await play(objects, ['Deployment'])
    await untilReady(url)
    await expectFirstMessage(url, await copyDemo(server), 'ada')
    const pid = await programs.podman('inspect', '--format', '{{.State.Pid}}', server)
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    for (const line of [/^Uid:\t10001\t/m, /^CapBnd:\t0+$/m, /^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m]) {
      expect(status).toMatch(line)
    }
    expect((await fetch(`${url}/metrics`)).status).toBe(401)
    expect(await (await fetch(`${metrics}/metrics`)).text()).toMatch(/^nc_build_info{.*engine="PostgreSQL/m)
    expect(await programs.podman('exec', server, 'nc', 'org', 'list')).toMatch(/org_/)

    // The liveness of a node does not depend on its database, and its readiness does.
    await programs.podman('stop', `${NETWORK}-postgres`)
    await expect.poll(() => fetch(`${url}/readyz`).then((answer) => answer.status)).toBe(503)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    await programs.podman('start', `${NETWORK}-postgres`)
    await untilReady(url)
    expect(await end(server)).toBe('0')
  })

  test('it keeps SQLite in its volume', async () => {
    const objects = await render(seeded(VALUES.sqlite))
    await createSecret(objects)
    const first = await play(objects, ['Deployment', 'PersistentVolumeClaim'])
    await untilReady(first.url)
    const demoFile = await copyDemo(first.server)
    await expectFirstMessage(first.url, demoFile, 'ada')
    const backup = await programs.podman('exec', first.server, 'nc', 'backup', '--to', '/data/backup.db')
    expect(backup).toContain('Wrote /data/backup.db')
    expect(await end(first.server)).toBe('0')
    const second = await play(objects, ['Deployment'])
    await untilReady(second.url)
    expect(await readTitles(second.url, demoFile, 'ada')).toEqual(['Welcome to Loam'])
    expect(await end(second.server)).toBe('0')
  })
})
