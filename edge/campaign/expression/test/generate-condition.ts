// Generates hostile conditions: every function and macro of CEL, values that grow in chains, and broken sources.

import { PATHS } from './hostile-data.ts'
import type { Random } from './random.ts'

const LITERALS = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '1',
    '-1',
    '2',
    '10',
    '1.5',
    '1e308',
    '9223372036854775807',
    '0xff',
    '1u',
    '""',
    '"a"',
    '"aa"',
  ],
  ...[
    '","',
    'b"a"',
    '[]',
    '[1]',
    '["a", "b"]',
    '[[1], [1]]',
    '{}',
    '{"a": 1}',
    '"2026-05-01T22:30:00Z"',
    '"Asia/Kathmandu"',
    '"9s"',
  ],
]
const OPERATORS = ['==', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', '&&', '||', 'in']
const FUNCTIONS = [
  'size',
  'string',
  'int',
  'uint',
  'double',
  'bool',
  'bytes',
  'type',
  'dyn',
  'timestamp',
  'duration',
  'has',
]
const METHODS = [
  ...[
    'size()',
    'contains("a")',
    'startsWith("a")',
    'endsWith("a")',
    'matches("(a+)+b")',
    'split(",")',
    'split("")',
    'join(",")',
    'join()',
  ],
  ...[
    'lowerAscii()',
    'upperAscii()',
    'trim()',
    'substring(0, 2)',
    'indexOf("a")',
    'lastIndexOf("a")',
    'replace("a", "aa")',
    'reverse()',
  ],
  ...[
    'getFullYear("Asia/Kathmandu")',
    'getHours("+02:00")',
    'getDate()',
    'getSeconds()',
    'getMilliseconds()',
    'at(0)',
    'hex()',
    'json()',
  ],
]
const MACROS = ['map', 'filter', 'all', 'exists', 'exists_one']
const FRAGMENTS = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '!',
  '-',
  '"',
  "'",
  '"a" + ',
  '[1] + ',
  '1 + ',
  'true || ',
  'x.',
  '.map(x, x',
  '?',
  ':',
  '\n',
  '//',
]

/** Returns the source of one condition. */
export function generateCondition(random: Random): string {
  if (random.once(12)) {
    const fragment = random.pick(FRAGMENTS) + (random.once(3) ? random.pick(FRAGMENTS) : '')
    return (fragment.repeat(random.below(1200)) + term(random, 1)).slice(0, 4096)
  }
  const source = random.many(1 + random.below(3), () => comparison(random)).join(random.pick([' && ', ' || ']))
  if (!random.once(25)) return source
  const at = random.below(source.length)
  return source.slice(0, at) + random.pick(FRAGMENTS) + source.slice(at + random.below(4))
}

function comparison(random: Random): string {
  return `${chain(random)} ${random.pick(OPERATORS)} ${random.once(3) ? chain(random) : term(random, 2)}`
}

/** A chain that makes lists and texts longer with each link. */
function chain(random: Random): string {
  const link = random.pick([
    ...['.map(x, x + x)', '.map(x, [x, x])', '.map(x, string(x) + string(x))', '.map(x, x * x)', '.filter(x, x == x)'],
    ...[
      '.map(x, y, x)',
      '.map(x, [1, 2, 3].map(y, x))',
      '.exists(x, x in [x])',
      '.split("").join("aa").split("")',
      '.join("a").split("")',
    ],
  ])
  return term(random, 3) + link.repeat(random.once(3) ? 1 + random.below(24) : random.below(3))
}

function term(random: Random, levels: number): string {
  if (levels === 0) return random.pick([...PATHS, ...LITERALS, 'x', 'y'])
  const inner = () => term(random, levels - 1)
  switch (random.below(12)) {
    case 0:
      return `${random.pick(FUNCTIONS)}(${inner()})`
    case 1:
    case 2:
      return `${inner()}.${random.pick(METHODS)}`
    case 3:
    case 4: {
      const name = random.pick(['x', 'y'])
      return `${inner()}.${random.pick(MACROS)}(${name}, ${inner()})`
    }
    case 5:
      return `(${inner()} ${random.pick(OPERATORS)} ${inner()})`
    case 6:
      return `(${inner()} ? ${inner()} : ${inner()})`
    case 7:
      return `[${random.many(random.below(4), inner).join(', ')}]`
    case 8:
      return `{"a": ${inner()}, ${random.pick(LITERALS)}: ${inner()}}`
    case 9:
      return `${inner()}[${inner()}]`
    case 10:
      return `duration("${'9'.repeat(random.below(300))}${random.pick(['s', 'h', 'ms', 'x'])}")`
    default:
      return random.pick([...PATHS, ...LITERALS])
  }
}
