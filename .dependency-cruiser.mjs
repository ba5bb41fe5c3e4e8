// Defines the rules of imports for `npm run check`: directions of the folders, fences of packages, no circles.
// TypeScript 7 has no JS API, so swc parses; its walk misses `import('…').Type` in place, which is forbidden.

/**
 * @typedef {object} Layer
 * @property {string} name
 * @property {string} files pattern of the files in this layer
 * @property {string[]} mayImport patterns of our own files that this layer may import, besides `contract/` and itself
 */

// Files of `contract/` whose schemas validate and document; browsers import their types alone.
const SCHEMAS = '^contract/(schemas|resources/[^/]+)\\.ts$'
// Data that the widget does not have: they take the types of schemas.
const DATA = '^contract/(identity-providers|source-recipes|usual-types)\\.ts$'
const EDGE_MIDDLE = ['flow', 'auth', 'stores', 'bus', 'email', 'connectors', 'enrichers', 'sandbox', 'traces']
const LIB = '^edge/lib/'
// The frames of changed inboxes: `flow/commit.ts` publishes them, and the bus carries them.
const PUSHED_FRAME = '^edge/domain/delivery/pushed-frame\\.ts$'
const DOMAIN = '^edge/domain/(?!delivery/pushed-frame\\.ts$)'
const CAMPAIGN = '^edge/campaign/'
// Words of mails and pages, by language.
const LOCALES = '^edge/locales/'
const middle = EDGE_MIDDLE.map((folder) => ({
  name: folder,
  files: `^edge/${folder}/`,
  mayImport: [
    LIB,
    DOMAIN,
    ...(['flow', 'sandbox'].includes(folder) ? [CAMPAIGN] : []),
    ...(['flow', 'email'].includes(folder) ? [LOCALES] : []),
    ...(folder === 'bus' ? [PUSHED_FRAME] : []),
  ],
}))
const BELOW_ENTRY_POINTS = [LIB, DOMAIN, LOCALES, CAMPAIGN, ...EDGE_MIDDLE.map((folder) => `^edge/${folder}/`)]
// Any layer may import the types of settings; only the process reads their values.
const CONFIG = '^edge/config\\.ts$'

/**
 * Layers from lowest to highest; a file is of the first that matches. Test files may import what they test.
 *
 * @type {Layer[]}
 */
const LAYERS = [
  // Starts the real server for the runners of all SDKs.
  { name: 'live suite', files: '^sdk/live/', mayImport: ['^edge/index\\.ts$', '^tools/servers/'] },
  { name: 'contract', files: '^contract/', mayImport: [] },
  { name: 'edge lib', files: LIB, mayImport: ['^edge/package\\.json$'] },
  { name: 'edge domain', files: '^edge/domain/', mayImport: [LIB] },
  { name: 'edge locales', files: LOCALES, mayImport: [DOMAIN] },
  { name: 'edge campaign', files: CAMPAIGN, mayImport: [LIB, DOMAIN] },
  { name: 'flow commit', files: '^edge/flow/commit\\.ts$', mayImport: [LIB, DOMAIN, PUSHED_FRAME] },
  // What runs in a sandbox: the engine, and the composing of mails.
  {
    name: 'sandbox program',
    files: '^edge/sandbox/sandbox-process\\.ts$',
    mayImport: [
      LIB,
      DOMAIN,
      LOCALES,
      CAMPAIGN,
      '^edge/sandbox/',
      '^edge/email/compose/',
      '^edge/flow/mail/render-layout\\.ts$',
    ],
  },
  ...middle,
  { name: 'edge config', files: CONFIG, mayImport: [LIB, DOMAIN] },
  { name: 'edge http', files: '^edge/http/', mayImport: [...BELOW_ENTRY_POINTS, CONFIG] },
  { name: 'edge realtime', files: '^edge/realtime/', mayImport: BELOW_ENTRY_POINTS },
  { name: 'edge jobs', files: '^edge/jobs/', mayImport: BELOW_ENTRY_POINTS },
  {
    name: 'edge app',
    files: '^edge/(app\\.ts|app/)',
    mayImport: ['^edge/(?!main\\.ts|index\\.ts|serve\\.ts|cli/|test/|domain/delivery/pushed-frame\\.ts)'],
  },
  {
    name: 'edge process',
    files: '^edge/(main|index|signals)\\.ts$',
    mayImport: [
      '^edge/(app|serve|config)\\.ts$',
      '^edge/app/',
      '^edge/http/kernel/http\\.ts$',
      '^edge/seed/',
      LIB,
      DOMAIN,
    ],
  },
  { name: 'edge seed', files: '^edge/seed/', mayImport: [LIB, DOMAIN, CAMPAIGN, '^edge/flow/'] },
  // Calls the routes of the server as an operator.
  {
    name: 'edge command line',
    files: '^edge/cli/',
    mayImport: [...BELOW_ENTRY_POINTS, CONFIG, '^edge/app/operator\\.ts$'],
  },
  // The rest of the edge; like all of it, it imports nothing of the demo.
  { name: 'edge', files: '^edge/(?!node_modules/)', mayImport: [] },
  { name: 'widget lib', files: '^widget/(lib|locales)/', mayImport: [] },
  { name: 'widget transport', files: '^widget/transport/', mayImport: ['^widget/(lib|locales)/'] },
  { name: 'widget inbox', files: '^widget/inbox/', mayImport: ['^widget/(lib|locales|transport)/'] },
  { name: 'widget elements', files: '^widget/elements/', mayImport: ['^widget/(lib|locales|transport|inbox)/'] },
  { name: 'widget roots', files: '^widget/[^/]+$', mayImport: ['^widget/'] },
  // Shows messages in the elements of the widget; of the contract it takes types and lists.
  { name: 'dashboard', files: '^dashboard/', mayImport: ['^widget/(lib|locales|elements)/'] },
  // The demo acts as a customer: main.ts starts the server, and all other files use the public API.
  {
    name: 'demo process',
    files: '^demo/(main|pictures|start)\\.ts$|^demo/pictures/',
    mayImport: ['^demo/', '^sdk/node/index\\.ts$', '^edge/index\\.ts$', '^tools/'],
  },
  // Types alone: campaigns are data, and the engine describes them.
  {
    name: 'demo campaigns',
    files: '^demo/campaigns/definition\\.ts$',
    mayImport: ['^edge/campaign/definition\\.ts$'],
  },
  { name: 'demo', files: '^demo/', mayImport: ['^sdk/node/index\\.ts$'] },
  { name: 'bench', files: '^bench/', mayImport: ['^tools/(servers/|programs/)', '^widget/lib/'] },
  {
    name: 'tools',
    files: '^tools/',
    mayImport: [
      '^contract/',
      '^sdk/live/',
      '^edge/(config|index)\\.ts$',
      '^demo/pictures\\.ts$',
      '^widget/custom-elements\\.ts$',
    ],
  },
]

const OUTSIDE_EDGE = '^(demo|bench|tools)/'

/**
 * Packages that only the `allowed` files may import. A package is named without its path.
 *
 * @type {{ packages: string, allowed: string }[]}
 */
const FENCES = [
  { packages: 'hono|@hono/[^/]+', allowed: `^edge/(http/|app|main\\.ts)|${OUTSIDE_EDGE}` },
  { packages: 'socket\\.io|@socket\\.io/redis-adapter', allowed: '^edge/(realtime/|app)|^bench/' },
  { packages: 'better-sqlite3|libsql|node:sqlite', allowed: '^edge/stores/sqlite/driver\\.ts$|^bench/peers/' },
  { packages: 'pg|postgres', allowed: '^edge/stores/postgres/connection\\.ts$|^bench/peers/' },
  { packages: 'ioredis|redis', allowed: '(^|/)redis\\.ts$|^bench/(fanout|peers)/' },
  {
    packages: 'lit|lit-html|@lit/[^/]+',
    allowed: '^widget/(elements/|inbox/inbox-controller\\.ts$|provide-lit\\.ts$)|^dashboard/',
  },
  { packages: '@awesome\\.me/webawesome', allowed: '^dashboard/' },
  { packages: 'codemirror|@codemirror/[^/]+|@lezer/[^/]+', allowed: '^dashboard/pages/editor/forms/code/' },
  { packages: '@konnorr/qr-creator', allowed: '^dashboard/elements/qr-code\\.ts$' },
  { packages: '@tanstack/lit-virtual', allowed: '^dashboard/pages/history/' },
  { packages: 'socket\\.io-client', allowed: '^(demo|bench)/|^widget/transport/realtime\\.ts$' },
  { packages: 'idb-keyval', allowed: '^widget/inbox/storage\\.ts$|^dashboard/editor/kept-drafts\\.ts$' },
  { packages: '@cfworker/json-schema', allowed: '^sdk/node/schemas/json-schema\\.ts$' },
  { packages: 'liquidjs', allowed: '^edge/campaign/expression/' },
  { packages: '@marcbachmann/cel-js', allowed: '^edge/campaign/expression/' },
  { packages: 'mrml', allowed: '^edge/lib/mjml\\.ts$' },
  { packages: '@css-inline/css-inline|html-to-text|markdown-it', allowed: '^edge/email/compose/' },
  { packages: 'nodemailer', allowed: '^(edge/email|bench/mail)/' },
  { packages: 'lru-cache', allowed: '^edge/lib/cache\\.ts$' },
  { packages: '@opentelemetry/[^/]+', allowed: '^edge/traces/otlp-traces\\.ts$' },
  { packages: 'pino', allowed: '^edge/lib/log\\.ts$' },
  { packages: 'otpauth|openid-client|@simplewebauthn/server', allowed: '^edge/auth/' },
  { packages: 'jose', allowed: '^edge/((auth|seed)/|lib/seal\\.ts$)|^demo/' },
  {
    packages: 'vite|esbuild|tsx|vitest|playwright-core|puppeteer-core|axe-core|dependency-cruiser',
    allowed: '^(tools|demo|widget|bench)/|^vitest\\.config\\.ts$|^edge/lib/thread\\.ts$',
  },
]

const TESTS =
  '\\.(test|suite)\\.ts$|^(edge|widget|dashboard|demo|sdk)/(test|suite)/|^(edge|widget|dashboard|demo|sdk)/.+/(test|suite)/'
const OURS = '^(contract|edge|widget|dashboard|demo|sdk|bench|tools|examples)/(?!.*node_modules/)'

const directions = LAYERS.map(({ name, files, mayImport }, at) => ({
  name,
  severity: 'error',
  from: { path: files, pathNot: [TESTS, ...LAYERS.slice(0, at).map((lower) => lower.files)] },
  to: { path: OURS, pathNot: [files, '^contract/', ...mayImport] },
}))

const fences = FENCES.map(({ packages, allowed }) => ({
  name: `fence of ${packages}`,
  severity: 'error',
  comment: `only ${allowed} may import it`,
  from: { pathNot: [TESTS, allowed] },
  // A package that is not installed here is found by its name.
  to: { path: `(^|/node_modules/|^node_modules/)(${packages})(/|$)`, pathNot: OURS },
}))

export default {
  forbidden: [
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'layouts compile in a sandbox',
      severity: 'error',
      comment: 'compiling one takes up to seconds and gigabytes: the server asks `sandbox/check-layout.ts`',
      from: {
        path: '^edge/',
        pathNot: [TESTS, '^edge/sandbox/sandbox-process\\.ts$'],
      },
      to: { path: '^edge/flow/mail/render-layout\\.ts$' },
    },
    { name: 'not there', severity: 'error', from: {}, to: { couldNotResolve: true, path: '^\\.' } },
    ...directions,
    ...fences,
    {
      name: 'wire schemas',
      severity: 'error',
      comment: 'the widget and its published types need no zod, so they import the types of contract/api.ts',
      from: { path: '^(contract|widget)/', pathNot: [TESTS, SCHEMAS, DATA] },
      to: { path: SCHEMAS },
    },
    {
      name: 'zod in contract',
      severity: 'error',
      comment: 'only contract/resources/ and the files of schemas may import it',
      from: { path: '^contract/', pathNot: [TESTS, SCHEMAS] },
      to: { path: '(^|/)zod(/|$)', pathNot: OURS },
    },
    {
      name: 'no tests',
      severity: 'error',
      comment: 'only tests import tests',
      from: { path: [...LAYERS.map(({ files }) => files), '^sdk/node/'], pathNot: TESTS },
      to: { path: TESTS },
    },
    {
      name: 'other packages',
      severity: 'error',
      comment: 'a test imports from its own package, and only the public parts of other packages',
      from: { path: '^(?!tools/)([^/]+)/(.+\\.(test|suite)\\.ts$|.*\\b(test|suite)/)' },
      to: { path: OURS, pathNot: ['^$1/', '^(contract|tools)/', '^edge/test/support/', '/index\\.ts$'] },
    },
    {
      name: 'node sdk',
      severity: 'error',
      comment: 'customers install the SDK in their backends: it needs Node alone, and the validator is bundled',
      from: { path: '^sdk/node/', pathNot: TESTS },
      to: { pathNot: ['^sdk/node/(?!node_modules/)', '^(buffer|crypto)$', '(^|/)node_modules/@cfworker/'] },
    },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(contract|edge|widget|dashboard|demo|sdk/node)/dist/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mts', '.mjs', '.js', '.json'],
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
}
