// Tests conditions: results, reasons of false, faults with their position, and limits of cost.

import { describe, expect, test } from 'vitest'
import { parseJson } from '../../lib/read-json.ts'
import { blockThread } from '../../test/support/block-thread.ts'
import { processorMs } from '../../test/support/processor-time.ts'
import { usedBytes } from '../../test/support/used-memory.ts'
import { type Condition, type ConditionScope, compileCondition, mustCompileCondition } from './condition.ts'

/** A text or list over its limit has its own words. */
const ENDED =
  /^the condition (?:costs too much|makes a (?:text|list) of more than \d+ (?:characters|items)) on this event$/

const scope: ConditionScope = {
  event: {
    name: 'order.shipped',
    userId: 'u_1',
    occurredAt: '2026-05-01T10:00:00.000Z',
    properties: {
      total: 150,
      half: 0.5,
      n: 2,
      list: [1, 2, 3],
      items: [{ sku: 'a', price: 5 }],
      s: 'abc',
      nothing: null,
      seconds: 1_769_860_800,
    },
  },
  user: { id: 'u_1', email: null, attributes: { plan: 'pro' } },
  enriched: {},
}

function compile(source: string): Condition {
  const compiled = compileCondition(source)
  if ('fault' in compiled) throw new Error(`${source}: ${compiled.fault.message}`)
  return compiled.condition
}

describe('a condition holds', () => {
  test.each([
    "event.properties.total > 100 && user.attributes.plan == 'pro'",
    'event.properties.total + 1 == 151',
    '2 * event.properties.n == 4',
    'event.properties.n - 1 == 1 && 5 - event.properties.n == 3',
    'event.properties.total / 4 == 37.5',
    'event.properties.total % 7 == 3',
    'event.properties.half * 2 == 1',
    'event.properties.total * 1.5 == 225 && event.properties.total * 1.5 != 3 && 3 == 1.5 * 2',
    'size(event.properties.list) * 1.0 == 3 && event.properties.n == 2 && event.properties.n != 3',
    'event.properties.n == event.properties.n && event.properties.n != event.properties.half && 1 != 2',
    '1 + event.properties.n * 3 - 4 / 2 == 5 && 7 / 2 == 3',
    'size(event.properties.list) * 1.5 > 4 && size(event.properties.list) * event.properties.half < 2',
    'event.properties.n in [1, 2, 3]',
    '3 in event.properties.list',
    'event.properties.list[0] == 1',
    'size(event.properties.list) == 3',
    'event.properties.list.exists(x, (x) > 2)',
    'event.properties.list.all(x, x > 0)',
    'event.properties.list.exists_one(x, x == 2)',
    'event.properties.list.map(x, x * 2)[2] == 6',
    'size(event.properties.list.filter(x, size(event.properties.list.filter(y, (y > x))) > 0)) == 2',
    "event.properties.items.exists(item, item.sku == 'a' && item.price * 2 > 9)",
    'event.properties.nothing == null',
    "event.properties.s.startsWith('ab') && event.properties.s.contains('c')",
    "event.name == 'order.shipped' && event.userId == user.id",
    "timestamp(event.occurredAt) > timestamp('2026-01-01T00:00:00Z')",
    "timestamp(event.properties.seconds) == timestamp('2026-01-31T12:00:00Z')",
    "timestamp(event.properties.seconds) == timestamp('2026-01-31T13:00+0100')",
    "timestamp('2026-01-31T12:00Z') == timestamp(1769860800) && timestamp(1769860800000) == timestamp(1769860800.0)",
    "[timestamp('2026-01-31T12:00Z')].exists(timestamp, timestamp == timestamp('2026-01-31T12:00:00.000Z'))",
    'timestamp(event.properties.seconds) == timestamp(event.properties.seconds * 1000.0)',
    '!has(event.properties.gone)',
    "event.properties.s == 'abc' || event.properties.gone",
    "event['properties'].n == 2",
    'event.properties.list.exists(x, "é😀, )" != string(x) && x == 3)',
    '[1, "a", true].exists(x, x == event.properties.n || x == "a")',
  ])('%s', (source) => {
    expect(compile(source).evaluate(scope)).toEqual({ holds: true })
  })
})

describe('a profile field without a value', () => {
  const user = { id: 'u', email: null, name: 'Ada', locale: null, timeZone: null, attributes: { nick: null } }
  test.each([
    '!has(user.email)',
    'has(user.name)',
    'user.email == null',
    'user.name != null && !(has(user.name) && has( user . email ))',
    '!has (user.email // )\n) && has(user.name)',
    '"😀" != "" && !has(user.timeZone) && has(user.id) && has(user.attributes)',
    'has(user.attributes.nick)',
    '[1].exists(n, !has(user.locale) && n == 1)',
    "[{'name': 'x'}, {'email': 'e'}].exists(user, has(user.email) && user.email == 'e')",
  ])('is not there, and is null: %s', (source) => {
    expect(compile(source).evaluate({ ...scope, user })).toEqual({ holds: true })
  })
})

describe('an integer beyond the precision of a double', () => {
  const event = parseJson(
    '{ "id": 76561198012345677, "debt": -76561198012345677, "ids": [76561198012345677] }',
  ) as object
  test.each([
    'event.id == 76561198012345677',
    '!(event.id != 76561198012345677)',
    'event.id in [76561198012345677]',
    'event.debt == -76561198012345677',
    'event.id == "76561198012345677"',
    'event.id != 76561198012345678',
    'event.id <= 76561198012345677',
    'event.ids.exists(id, id == 76561198012345677)',
  ])('equals itself: %s', (source) => {
    expect(compile(source).evaluate({ ...scope, event })).toEqual({ holds: true })
  })
})

describe('a key `constructor` changes nothing about other keys', () => {
  const properties: Record<string, unknown> = {
    total: 5,
    constructor: 'Ferrari',
    makers: [{ name: 'a', constructor: null }, { name: 'b' }],
    nested: { constructor: { name: 'c' }, list: [1, 2] },
  }
  const event = { properties }
  const user = { id: 'u', attributes: { plan: 'pro', constructor: 'x' } }
  test.each([
    'event.properties.total > 1',
    'event.properties.constructor == "Ferrari"',
    '"total" in event.properties && size(event.properties) == 4',
    'user.attributes.plan == "pro"',
    'event.properties.makers.exists(maker, maker.name == "a")',
    'event.properties.makers.map(maker, maker.name) == ["a", "b"]',
    'event.properties.nested.constructor.name == "c" && 2 in event.properties.nested.list',
    'event.properties == event.properties',
    'has(event.properties.total) && !has(event.properties.gone)',
  ])('%s', (source) => {
    expect(compile(source).evaluate({ ...scope, event, user })).toEqual({ holds: true })
  })
  test('a missing key is named as usual', () => {
    const verdict = compile('event.properties.gone == 1').evaluate({ ...scope, event, user })
    expect(verdict).toMatchObject({ outcome: 'error', reason: 'No such key: gone' })
  })
  test('comparing such objects costs as much as comparing others', () => {
    const many = Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => [`key${at}`, at]))
    const pair = { one: { ...many, constructor: 1 }, other: { ...many, constructor: 1 } }
    const verdict = compile('event.properties.one == event.properties.other').evaluate({
      ...scope,
      event: { properties: pair },
    })
    expect(verdict).toMatchObject({ holds: false, reason: 'the condition costs too much on this event' })
  })
})

describe('a condition is false, with a reason', () => {
  test.each([
    ['event.properties.total > 1000', 'false', 'the condition is false'],
    ['event.properties.gone == 1', 'error', 'No such key: gone'],
    ['user.attributes.constructor == 1', 'error', 'No such key: constructor'],
    ['user.attributes.__proto__ == 1', 'error', 'No such key: __proto__'],
    [
      "event.properties.n < 'a'",
      'error',
      "no such overload: dyn<double> < string. Write event.properties.n < double('a').",
    ],
    ['event.properties.n', 'error', 'the condition is neither true nor false'],
    ['event.properties.s.size() > 2 && event.properties.n', 'error', /bool/],
    ['awaited.properties.x == 1', 'error', /awaited/],
    ['1 / int(event.properties.n - 2) > 1', 'error', 'division by zero'],
    ["timestamp(event.properties.s) > timestamp('2026-01-01T00:00:00Z')", 'error', /imestamp/],
  ])('%s', (source, outcome, reason) => {
    const verdict = compile(source).evaluate(scope)
    expect(verdict).toMatchObject({ holds: false, outcome })
    expect(verdict.holds ? '' : verdict.reason).toEqual(
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    )
  })
})

describe('a fault shows the form that works', () => {
  test.each([
    ['event.properties.order-id == "x"', 'event.properties["order-id"]'],
    ['true && user.attributes.a.plan-name.b == "x"', 'user.attributes.a["plan-name"].b'],
    ['event.properties.in == 1', 'event.properties["in"]'],
    ['event.properties.null == 1', 'event.properties["null"]'],
    ['event.properties.größe == 1', 'event.properties["größe"]'],
    ['event.properties.1st == 1', 'event.properties["1st"]'],
    ['event.properties.$amount > 1', 'event.properties["$amount"]'],
    ['event.properties["a b"].c-d == 1', 'event.properties["a b"]["c-d"]'],
    ['"150.00" > 100', 'double("150.00") > 100'],
    ['100 <= "150.00"', '100 <= double("150.00")'],
    ['event.name = "a"', '== in place of ='],
    ['event.name === "a"', '== in place of ==='],
    ['event.properties.n <> 1', '!= in place of <>'],
    ['event.name == "a" AND user.id == "b"', '&& in place of AND'],
    ['event.name == "a" or user.id == "b"', '|| in place of or'],
    ['not event.properties.paid', '! in place of not'],
    ['event.properties.paid == True', 'true in place of True'],
    ['event.name == \u201ca\u201d', '" in place of \u201c'],
    ['event.properties?.a == 1', '. in place of ?.'],
    ['properties.total > 1', 'event.properties in place of properties'],
  ])('%s: %s', (source, form) => {
    const compiled = compileCondition(source)
    expect(compiled).toMatchObject({ fault: { message: expect.stringContaining(`Write ${form}.`) } })
  })

  test.each([
    ['timestamp(event.occurredAt).getHours("New York") > 8', 0, 'getHours("America/New_York")'],
    ['event.list.exists(x, timestamp(x).getMonth("(UTC+01:00) Berlin") == 1)', 21, 'getMonth("Europe/Berlin")'],
    ['[timestamp(0)].all(x, x.getDayOfWeek("Narnia") > 1)', 22, 'such as getDayOfWeek("Europe/Berlin")'],
    ['timestamp("bad") < timestamp(event.at)', 0, 'timestamp("2026-01-31T12:00:00Z")'],
    ['true || timestamp("2026-01-31T12:00:00") < timestamp(0)', 8, 'timestamp("2026-01-31T12:00:00Z")'],
    ['event.x ? timestamp("2026-02-31T12:00Z") > timestamp(1) : true', 10, 'timestamp("2026'],
    ['timestamp(event.at) - duration("5 days") > timestamp(0)', 22, 'duration("36h30m")'],
    ['event.at > timestamp("2026-01-31T12:00:00Z")', 0, 'timestamp(event.at) > timestamp("2026-01-31T12:00:00Z")'],
    ['timestamp(0) < event.at - duration("1h")', 15, 'timestamp(event.at) - duration("1h")'],
    ['event.wait <= duration("1h")', 0, 'duration(event.wait) <= duration("1h")'],
    ['event.occurredAt.getHours("New York") > 8', 0, 'timestamp(event.occurredAt).getHours("America/New_York")'],
    ['int("abc") == event.n', 0, 'int("42")'],
    ['event.n > double("1,5")', 10, 'double("4.5")'],
    ['bool("yes") == event.n', 0, 'bool("true") or bool("false")'],
    ['uint(-1) == 1u', 0, 'uint("42")'],
    ['event.s.substring(-1) == "a"', 0, 'substring(0, 3)'],
    ['event.s.substring(event.from, -1) == "a"', 0, 'substring(0, 3)'],
    ['event.s.substring(3, 1) == "a"', 0, 'substring(0, 3)'],
    ['event.s.lastIndexOf("a", -1) == 1', 0, 'lastIndexOf("a", 0)'],
    ['bytes(event.s).at(-1) == 1', 0, 'at(0)'],
    ['event.list[-1] == 1', 0, 'such as [0]'],
    ['[1, 2][5] == event.n', 0, 'index 5 >= size 2'],
    ['event.n / 0 > 1', 0, 'Nothing can be divided by 0'],
    ['size(event.list) % 0 == 1', 0, 'Nothing can be divided by 0'],
    ['bytes("x").json().a == event.n', 0, 'not valid JSON'],
    ['{"a": 1}.b == event.n', 0, 'No such key: b'],
    ['["a", 1].join(",") == event.s', 0, 'only strings'],
  ])('a constant that can never work: %s at %d: %s', (source, position, form) => {
    expect(compileCondition(source)).toEqual({ fault: { message: expect.stringContaining(form), position } })
  })

  test.each([
    'event.s.substring(5000) == "a" && event.s.indexOf("a", 60000) == 1 && bytes(event.s).at(60000) == 1',
    'timestamp(0).getHours(user.timeZone) == 1 || timestamp(event.at).getHours(event.x ? "UTC" : "a") == 1',
    '"abc".substring(event.from) == "a" || event.s.substring(event.from, event.to) == "a"',
    'event.a == 1e30 && event.list[-0] == 1 && event.s.split(",", -1) == []',
    'event.list.exists(x, x > timestamp(0)) || event.n - 1 > 5 || event.s < "d"',
    `timestamp(0).getHours("UTC") == 0${' && event.s.substring(1).contains("a")'.repeat(60)}`,
  ])('constants that may work: %s', (source) => {
    expect(compileCondition(source)).toHaveProperty('condition')
  })

  test.each([
    'event.properties.total > ',
    'foo.order-id == 1',
    'true && "=" + 1 == "and"',
    "'a' + 1 == 2 && event.properties.a",
  ])('%s has none', (source) => {
    const compiled = compileCondition(source)
    expect('fault' in compiled ? compiled.fault.message : '').not.toMatch(/event/)
  })

  test.each([
    ['event.properties.text > 100', 'double(event.properties.text) > 100', 'double(event.properties.text) > 100'],
    [
      'event.properties.n < event.properties.text',
      'event.properties.n < double(event.properties.text)',
      'event.properties.n < double(event.properties.text)',
    ],
    ['event.properties.text * 2 > 100', 'double(event.properties.text) * 2', 'double(event.properties.text) * 2 > 100'],
  ])('%s, when it is evaluated: %s', (source, form, works) => {
    const event = { properties: { text: '150.00', n: 2 } }
    expect(compile(source).evaluate({ ...scope, event })).toMatchObject({
      outcome: 'error',
      reason: expect.stringContaining(`Write ${form}.`),
    })
    expect(compile(works).evaluate({ ...scope, event })).toEqual({ holds: true })
  })
})

describe('a fault is reported when the condition is saved', () => {
  test.each([
    ['event.properties.total >', 24],
    ['', 0],
    ['foo.bar == 1', 0],
    ['event.name == 1 && fo.bar', 19],
    ['event.name == "a', 14],
    ["'a' + 1 == 2", 0],
    ['1 + 2', 0],
    ["'true'", 0],
    ['x.all(1, true)', 6],
    ["event.name.matches('(a+)+$')", 0],
    ["true && event.name.matches('a')", 8],
    ['cel.bind(x, event, x.name == "a")', 0],
    ['event.name.nope()', 0],
  ])('%s at %d', (source, position) => {
    const compiled = compileCondition(source)
    expect(compiled).toMatchObject({ fault: { message: expect.stringMatching(/./), position } })
    expect(JSON.stringify(compiled)).not.toContain('\\n')
  })

  test.each(["event.name.matches('(a+)+$')", 'cel.bind(x, event, x.name == "a")'])(
    '%s is no condition either where nobody has checked it, as in an import',
    (source) => {
      const event = { name: `${'a'.repeat(40)}!` }
      const verdict = mustCompileCondition(source).evaluate({ ...scope, event })
      expect(verdict).toMatchObject({
        holds: false,
        outcome: 'error',
        reason: expect.stringContaining('not available'),
      })
    },
  )

  test('one that is too long, too deep or too large', () => {
    for (const source of [
      `event.name == '${'a'.repeat(5000)}'`,
      `${'('.repeat(200)}true${')'.repeat(200)}`,
      `true${' && true'.repeat(500)}`,
    ]) {
      expect(compileCondition(source)).toMatchObject({ fault: { message: expect.stringMatching(/./) } })
    }
  })
})

describe('cost', () => {
  const long = { ...scope, event: { properties: { list: Array.from({ length: 15_000 }, (_, i) => i) } } }

  test('a loop over a long list is fine', () => {
    expect(compile('event.properties.list.exists(x, x == 14999)').evaluate(long)).toEqual({ holds: true })
  })

  test.each([
    'event.properties.list.exists(x, event.properties.list.exists(y, x + y < 0))',
    'event.properties.list.all(x, event.properties.list.all(y, event.properties.list.all(z, true)))',
    'size(event.properties.list.map(x, event.properties.list.map(y, y))) > 0',
    'event.properties.list.exists(x, event.properties.list.exists(y, y < 0)) || true',
    'event.properties.list.map(x, event.properties.list.exists(y, y < 0), x) == []',
    'event.properties.list.all(x, event.properties.list + event.properties.list != [x])',
  ])('%s ends early and is false', async (source) => {
    const condition = compile(source)
    const ms = await processorMs(() =>
      expect(condition.evaluate(long)).toEqual({
        holds: false,
        outcome: 'error',
        reason: expect.stringMatching(ENDED),
      }),
    )
    expect(ms).toBeLessThan(2000)
  })

  test('a paused machine does not change the result', () => {
    const list = [1, 2, 3]
    let stoodStill = 0
    Object.defineProperty(list, 1, {
      enumerable: true,
      get() {
        stoodStill += 1
        blockThread(400)
        return 2
      },
    })
    const condition = compile('event.properties.list.exists(x, x == 3)')
    expect(condition.evaluate({ ...scope, event: { properties: { list } } })).toEqual({ holds: true })
    expect(stoodStill).toBeGreaterThan(0)
  })

  test('each evaluation has a full budget', () => {
    compile('event.properties.list.all(x, event.properties.list.all(y, true))').evaluate(long)
    expect(compile('event.properties.list.exists(x, x == 3)').evaluate(scope)).toEqual({ holds: true })
  })
})

describe('a condition that makes much of little', () => {
  const times = (count: number, part: string) => part.repeat(count)
  const letters = 'a'.repeat(65_000)
  const event = {
    properties: {
      s: letters,
      list: Array.from({ length: 60_000 }, (_, i) => i),
      keys: Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, i])),
      words: Array.from({ length: 2000 }, () => 'x'.repeat(100)),
    },
  }
  const eight = `[0]${times(9, '.map(x, [x,x,x,x,x,x,x,x])')}`
  const half = 'event.properties.s.substring(0, 16000)'
  const many = Array.from({ length: 26 }, (_, i) => i)

  test.each([
    [
      'texts that double',
      `["${letters.slice(0, 1000)}"]${times(18, '.map(x, x + x)')}.map(x, [${many.map((i) => `x + "${i}"`).join(', ')}]).exists(l, ${many.map((i) => `l[${i}].contains("zz")`).join(' || ')})`,
    ],
    ['lists of the same list, compared', `${eight} == ${eight}`],
    ['lists of the same list, searched', `${eight} in [${eight}]`],
    ['lists that double', `[event.properties.list]${times(10, '.map(x, x + x)')}.exists(x, size(x) == 0)`],
    ['one text of two long ones', 'event.properties.s + event.properties.s == "a"'],
    ['a comparison for each element', 'event.properties.list.exists(x, event.properties.keys == event)'],
    ['keys for each element', 'event.properties.list.exists(x, size(event.properties.keys) == 1)'],
    ['keys in loops', 'event.properties.list.exists(x, event.properties.keys.exists(k, k == "zz"))'],
    ['a search that nearly succeeds everywhere', `event.properties.s.contains(${half} + "b" + ${half})`],
    ['the same from the end', `event.properties.s.lastIndexOf(${half} + "b") > 0`],
    ['a text in its letters', 'event.properties.list.exists(x, size(event.properties.s.split("")) == x)'],
    ['joined texts', 'event.properties.words.map(x, event.properties.words.join(",")).join("") == "a"'],
    ['zones', 'event.properties.list.all(x, timestamp("2026-01-01T00:00:00Z").getHours("Asia/Tokyo") < 25)'],
    ['bytes', 'size(bytes(event.properties.s) + bytes(event.properties.s)) > 0'],
    ['more digits than letters', 'bytes(event.properties.s).hex().contains("zz")'],
    ['errors that a loop catches', 'event.properties.list.exists(x, event.properties.keys.all(y, y < 0)) || true'],
  ])('%s: ends early and is false', async (_, source) => {
    const condition = compile(source)
    const ms = await processorMs(() => {
      const verdict = condition.evaluate({ ...scope, event })
      expect(verdict).toEqual({ holds: false, outcome: 'error', reason: expect.stringMatching(ENDED) })
    })
    expect(ms).toBeLessThan(1000)
  })

  test('a duration is a short text', () => {
    const verdict = compile('duration(event.properties.s) > duration("1s")').evaluate({ ...scope, event })
    expect(verdict).toEqual({ holds: false, outcome: 'error', reason: 'A duration is a short text, such as 1h30m.' })
    expect(compile('duration("1h30m") > duration("1s")').evaluate(scope)).toEqual({ holds: true })
  })

  test.each([
    'size(event.properties.words.map(x, "ab").join(",")) == 5999',
    'event.properties.words.all(x, x.startsWith("xx") && x.contains("x") && !x.endsWith("y"))',
    'event.properties.list.exists(x, x == 19999) && event.properties.s.contains("aaa")',
    '"k7" in event.properties.keys && 59999 in event.properties.list && event.properties.keys.k7 == 7',
    '[[1, 2], [3]] == [[1] + [2], [3]] && [[3]] != [[4]] && {"a": [1]} == {"a": [1]} && [1] in [[1]]',
    'event.properties.words.map(x, x + "!").filter(x, size(x) == 101).size() == 2000',
    'timestamp("2026-07-01T10:00:00Z").getHours("Europe/Berlin") == 12',
  ])('%s holds', (source) => {
    expect(compile(source).evaluate({ ...scope, event })).toEqual({ holds: true })
  })

  test('types of events and of literals are not kept', () => {
    let seed = 1
    const next = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed % below
    }
    const nested = (depth: number): unknown => {
      if (depth === 0) return 1
      return next(2) === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) }
    }
    const evaluateSome = () => {
      for (let i = 0; i < 3000; i++) {
        const literal = JSON.stringify(nested(12))
        const properties = { a: nested(25), b: nested(25) }
        const source = `${literal} == ${JSON.stringify(nested(12))} || event.properties.a == event.properties.b || size(event.properties.a) == 9`
        expect(compile(source).evaluate({ ...scope, event: { properties } })).toBeDefined()
      }
    }
    evaluateSome()
    const before = usedBytes()
    evaluateSome()
    // Kept types would be 20 MB.
    expect(usedBytes() - before).toBeLessThan(4 * 1024 * 1024)
  })

  test('only a condition without loops is plain', () => {
    expect(compile("event.properties.total > 100 && event.name.startsWith('a')").isPlain).toBe(true)
    expect(compile('event.properties.list.exists(x, x == 1)').isPlain).toBe(false)
    expect(compile('size([1].map(x, x)) == 1').isPlain).toBe(false)
  })
})

describe('what it reads', () => {
  test.each([
    ['event.properties.total > 1', false],
    ['user.id == event.userId', false],
    ["user.attributes.plan == 'pro'", true],
    ["user.id == 'a' && user.email == 'b'", true],
    ["user['email'] == 'b'", true],
    ['has(user.email)', true],
    ["event.properties.user == 'a'", false],
  ])('%s reads the profile: %s', (source, readsProfile) => {
    expect(compile(source).readsProfile).toBe(readsProfile)
  })
})
