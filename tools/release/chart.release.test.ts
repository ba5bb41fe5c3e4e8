// Tests the chart of `deploy/chart`: what it renders and refuses, by Helm and the schemas of Kubernetes.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runPromtool } from '../servers/prometheus.ts'
import { CHART, type Chart, find, OLDEST, openChart, type Rendered } from './chart.ts'
import { type ContainerPrograms, startContainerPrograms } from './container-programs.ts'
import { VERSION } from './server-image.ts'

/** The oldest that the chart takes, and the newest whose schema is known. */
const KUBERNETES = [OLDEST, '1.37']
const OPERATOR_SCHEMAS = '@kubernetes-models/prometheus-operator@6.0.0'
const ALERTS = readFileSync(join(CHART, '../monitoring/alerts.yaml'), 'utf8')
const MASTER_KEY = 'aBase64KeyThatTheTestsLookForInPods'
const basic = {
  image: { repository: 'localhost/notification-center' },
  publicUrl: 'https://notify.example.com/inbox',
}
const stores = {
  masterKey: MASTER_KEY,
  databaseUrl: 'postgres://notifications:password@postgres:5432/notifications',
  redisUrl: 'redis://redis:6379',
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

let programs: ContainerPrograms
let chart: Chart

beforeAll(async () => {
  programs = await startContainerPrograms()
  chart = await openChart(programs)
})
afterAll(() => programs?.remove())

const kindsOf = (objects: Rendered[]) => objects.map(({ kind }) => kind).sort()

test('it has the version of the release, and Helm finds no fault', async () => {
  const text = readFileSync(join(CHART, 'Chart.yaml'), 'utf8')
  expect(text).toContain(`\nversion: ${VERSION}\nappVersion: ${VERSION}\n`)
  await chart.helm('lint', '--strict', CHART)
  for (const values of Object.values(VALUES)) {
    await chart.helm('lint', '--strict', CHART, '--values', chart.writeFile(JSON.stringify(values)))
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
  await expect(chart.render(values)).rejects.toThrow(message)
})

describe.each(Object.entries(VALUES))('with the values of %s', (name, values) => {
  test.each(KUBERNETES)('what it renders is right for Kubernetes %s', async (version) => {
    const objects = await chart.render(values, version)
    for (const object of objects.filter(({ kind }) => !OF_OPERATOR.includes(kind))) {
      expect(await chart.validate(object, version)).toMatch(/passed for resource/)
    }
    expect(new Set(objects.map((object) => object.metadata.name))).toEqual(new Set(['nc-notification-center']))
    expect(kindsOf(objects)).toEqual(KINDS[name as keyof typeof VALUES])
  })

  test('its Pod is hardened, and no probe asks helpers', async () => {
    const deployment = find(await chart.render(values), 'Deployment').spec
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
  const several = find(await chart.render(VALUES.cluster), 'Deployment').spec
  expect(several.replicas).toBe(3)
  const [term] = several.template.spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution
  expect(term.podAffinityTerm.topologyKey).toBe('kubernetes.io/hostname')
  const one = find(await chart.render(VALUES.sqlite), 'Deployment').spec
  expect(one).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } })
})

test('the Ingress has the host and the path of publicUrl, and a changed secret starts the nodes anew', async () => {
  const ingress = find(await chart.render(VALUES.everything), 'Ingress').spec
  expect(ingress.rules[0]).toMatchObject({ host: 'notify.example.com', http: { paths: [{ path: '/inbox' }] } })
  const checksum = async (secret: object) =>
    find(await chart.render({ ...basic, secret }), 'Deployment').spec.template.metadata.annotations['checksum/secret']
  expect(await checksum(stores)).not.toBe(await checksum({ ...stores, smtpUrl: 'smtp://mail.example.com' }))
})

test('the objects of the Prometheus Operator fit its schemas, the job has the name of the alerts, and these are whole', async () => {
  const home = join(programs.folder, 'operator')
  await programs.call('npm', ['install', '--no-save', '--ignore-scripts', '--prefix', home, OPERATOR_SCHEMAS])
  const base = join(home, 'node_modules/@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1')
  const objects = await chart.render(VALUES.everything)
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
  expect((await runPromtool(['check', 'rules', chart.writeFile(JSON.stringify(rules))])).status).toBe(0)
})
