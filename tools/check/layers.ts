// The import directions of the house as data: which folder may look where, and which packages are fenced (house rule 1).

export interface Layer {
  name: string
  /** Which files it holds. */
  files: string
  /** What of our own these files may import, beside `contract/` and files of the same layer. */
  mayImport: string[]
  /** Not even `contract/`: it is published by itself. */
  isAlone?: true
}

const EDGE_MIDDLE = ['flow', 'auth', 'stores', 'bus', 'email', 'connectors', 'enrichers']
const LIB = '^edge/lib/'
const DOMAIN = '^edge/domain/'
const middle = EDGE_MIDDLE.map(
  (folder): Layer => ({ name: folder, files: `^edge/${folder}/`, mayImport: [LIB, DOMAIN] }),
)
const BELOW_DOORS = [LIB, DOMAIN, ...EDGE_MIDDLE.map((folder) => `^edge/${folder}/`)]
// The types of settings may be named by whoever is configured; reading them is the process's.
const CONFIG = '^edge/config\\.ts$'

/** In the order of the picture, lowest first. Tests are free to import what they prove. */
export const LAYERS: Layer[] = [
  { name: 'contract', files: '^contract/', mayImport: [], isAlone: true },
  { name: 'edge lib', files: LIB, mayImport: [] },
  { name: 'edge domain', files: DOMAIN, mayImport: [LIB] },
  ...middle,
  { name: 'edge config', files: CONFIG, mayImport: [LIB, DOMAIN] },
  { name: 'edge http', files: '^edge/http/', mayImport: [...BELOW_DOORS, CONFIG] },
  { name: 'edge realtime', files: '^edge/realtime/', mayImport: BELOW_DOORS },
  { name: 'edge jobs', files: '^edge/jobs/', mayImport: BELOW_DOORS },
  {
    name: 'edge app',
    files: '^edge/(app\\.ts|app/)',
    mayImport: ['^edge/(?!main\\.ts|index\\.ts|serve\\.ts|cli/|test/)'],
  },
  {
    name: 'edge process',
    files: '^edge/(main|index|signals)\\.ts$',
    mayImport: [
      '^edge/(app|serve|config)\\.ts$',
      '^edge/app/',
      '^edge/http/http\\.ts$',
      '^edge/flow/seed-demo\\.ts$',
      // Plain definitions: what SEED_DEMO publishes, whoever starts the edge.
      '^demo/campaigns/index\\.ts$',
      LIB,
      DOMAIN,
    ],
  },
  { name: 'edge command line', files: '^edge/cli/', mayImport: [...BELOW_DOORS, CONFIG] },
  { name: 'widget lib', files: '^widget/(lib|locales)/', mayImport: [] },
  { name: 'widget transport', files: '^widget/transport/', mayImport: ['^widget/(lib|locales)/'] },
  { name: 'widget inbox', files: '^widget/inbox/', mayImport: ['^widget/(lib|locales|transport)/'] },
  { name: 'widget elements', files: '^widget/elements/', mayImport: ['^widget/(lib|locales|transport|inbox)/'] },
  { name: 'widget roots', files: '^widget/[^/]+$', mayImport: ['^widget/', '^tools/chromium\\.mjs$'] },
  // The demo is a customer: it starts the server in main.ts, and otherwise knows only what is public.
  {
    name: 'demo process',
    files: '^demo/(main|pictures|start)\\.ts$|^demo/pictures/',
    mayImport: ['^demo/', '^sdk/node/index\\.ts$', '^edge/index\\.ts$', '^tools/'],
  },
  { name: 'demo', files: '^demo/', mayImport: ['^sdk/node/index\\.ts$'] },
  // A customer's backend installs it: nothing of ours comes along.
  { name: 'node sdk', files: '^sdk/node/', mayImport: [], isAlone: true },
  { name: 'bench', files: '^bench/', mayImport: ['^tools/(servers/|chromium\\.mjs$)', '^widget/(lib/|sizes\\.mjs$)'] },
  {
    name: 'tools',
    files: '^tools/',
    mayImport: ['^contract/', '^edge/(config|index)\\.ts$', '^demo/pictures\\.ts$'],
  },
]

export interface Fence {
  packages: string
  /** The only files that may import them. */
  allowed: string
}

const OUTSIDE_EDGE = '^(demo|bench|tools)/'

export const FENCES: Fence[] = [
  { packages: '^(hono|@hono/.+)$', allowed: `^edge/(http/|app|main\\.ts)|${OUTSIDE_EDGE}` },
  { packages: '^(socket\\.io|@socket\\.io/redis-adapter)$', allowed: '^edge/(realtime/|app)|^bench/' },
  { packages: '^(better-sqlite3|libsql|node:sqlite)$', allowed: '^edge/stores/sqlite[a-z-]*\\.ts$|^bench/peers/' },
  { packages: '^(pg|postgres)$', allowed: '^edge/stores/postgres/link\\.ts$|^bench/peers/' },
  { packages: '^(ioredis|redis)$', allowed: '(^|/)redis\\.ts$|^bench/(fanout|peers)/' },
  { packages: '^(lit|lit-html|lit/.+|@lit/.+)$', allowed: '^widget/(elements/|inbox/inbox-controller\\.ts$)' },
  { packages: '^socket\\.io-client$', allowed: '^(demo|bench)/' },
  { packages: '^@cfworker/json-schema$', allowed: '^sdk/node/schemas/json-schema\\.ts$' },
  { packages: '^liquidjs$', allowed: '^edge/domain/' },
  { packages: '^@marcbachmann/cel-js$', allowed: '^edge/domain/' },
  { packages: '^pino$', allowed: '^edge/lib/log\\.ts$' },
  { packages: '^jose$', allowed: '^edge/(auth/|flow/seed-demo\\.ts$)|^demo/' },
  {
    packages: '^(vite|esbuild|tsx|vitest|playwright-core|puppeteer-core|axe-core|dependency-cruiser)(/.+)?$',
    allowed: '^(tools|demo|widget|bench)/|^edge/lib/thread\\.ts$',
  },
  // The published package needs Node alone: what it has of others is bundled into it, and has a line above. The first fence that names a package counts: this one is last.
  { packages: '^(?!@cfworker/|(buffer|crypto)$)', allowed: '^(?!sdk/)' },
]
