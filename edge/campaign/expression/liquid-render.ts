// Renders nodes of Liquid: charges each node, each text that is written, and each read of a property.

import { Context, Drop, type Liquid, type Template as Node, Output as OutputNode, toValueSync } from 'liquidjs'
import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import { charge, chargeChars, checkText } from './budget.ts'
import { setGiven } from './liquid-given.ts'
import { Markup, type OutputKind, withoutMarkup } from './liquid-markup.ts'
import { unitsOf } from './liquid-nodes.ts'
import { noteNode } from './liquid-part.ts'
import { noteDoubt } from './noted-doubts.ts'
import { insideOf } from './template-parts.ts'
import { chargeNames } from './value-cost.ts'

/** In units: a block is a turn of a loop or a branch. */
const BLOCK = 8

/** Reports an output that is too long. */
export class OutputTooLong extends Error {
  override readonly name = 'OutputTooLong'
  constructor(maxChars: number) {
    super(`The output has more than ${maxChars} characters.`)
  }
}

/** Collects what a template prints. */
class Output {
  buffer = ''
  readonly #maxChars: number
  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }
  write(text: unknown): void {
    const printed = text instanceof Markup ? text.markup : String(text)
    chargeChars(printed.length)
    if (this.buffer.length + printed.length > this.#maxChars) throw new OutputTooLong(this.#maxChars)
    this.buffer += printed
  }
}

/** Collects what a tag keeps, such as `capture`. JavaScript joins texts without reading them, so that is no cost. */
class Captured {
  #text = ''
  #markup = ''
  readonly #kind: OutputKind
  constructor(kind: OutputKind) {
    this.#kind = kind
  }
  write(printed: unknown): void {
    charge(1)
    const text = String(printed)
    checkText(this.#text.length + text.length)
    this.#text += text
    if (this.#kind === 'text') return
    const markup = printed instanceof Markup ? printed.markup : text
    checkText(this.#markup.length + markup.length)
    this.#markup += markup
  }
  get buffer(): Markup | string {
    return this.#kind === 'text' ? this.#text : new Markup(this.#text, this.#markup)
  }
}

type Emitter = NonNullable<Parameters<Liquid['renderer']['renderTemplates']>[2]>
type Key = Parameters<Context['readProperty']>[1]

/** Reading a property by a text reads all of the text. */
const MAX_FREE_KEY_CHARS = 64

/** Returns a key to look up. Lists and objects are none: JavaScript would print them to compare. */
function keyOf(key: Key): Key | undefined {
  const known = withoutMarkup(key)
  if (typeof known === 'string' && known.length > MAX_FREE_KEY_CHARS) chargeChars(known.length)
  if (typeof known === 'string' || typeof known === 'number' || known instanceof Drop) return known
  return typeof known === 'object' && known !== null ? undefined : key
}

/** Whether an output read a path that nothing is at. Outputs do not contain each other. */
let foundNothing = false

/** Notes an output that prints what nothing is at, as it is written, unless its author thought of that. */
function noteUnknown(node: OutputNode): void {
  const { filters } = node.value
  if (filters.some(({ name }) => name === 'default')) return
  const which = filters.length === 0 ? 'which has no value' : 'in which something has no value'
  noteDoubt('unknown-variable', node, () => {
    return [`prints ${insideOf(node.token.getText())}, ${which}`, null]
  })
}

/** Reads properties at their price, and without the engine's generators, as nothing here is asynchronous. */
class MeteredContext extends Context {
  override _get(paths: Key[]): IterableIterator<unknown> {
    const first = keyOf(paths[0] as Key) ?? ''
    // biome-ignore lint/complexity/useLiteralKeys: TypeScript allows private members by literals alone
    let value: unknown = this.readProperty(this['findScope'](first), first)
    for (let at = 1; at < paths.length; at++) value = this.readProperty(value as object, paths[at] as Key)
    if (value === undefined) foundNothing = true
    // The engine takes a value as well as a generator of it.
    return value as IterableIterator<unknown>
  }
  override readProperty(object: Parameters<Context['readProperty']>[0], key: Key): unknown {
    const known = keyOf(key)
    // The objects of the engine have methods, which their prototypes share among all templates.
    if (known === undefined || known === '__proto__') return undefined
    const owner = withoutMarkup(object) as typeof object
    // The engine counts the names of an object.
    if (known === 'size' && typeof owner === 'object' && owner !== null && !Array.isArray(owner)) chargeNames(owner)
    return super.readProperty(owner, known)
  }
  override spawn(scope: object = {}): MeteredContext {
    const { sync, globals, strictVariables, ownPropertyOnly, memoryLimit, renderLimit, liquid } = this
    const options = { sync, globals, strictVariables, ownPropertyOnly }
    const spawned = new MeteredContext(scope, this.opts, options, { memoryLimit, renderLimit, liquid })
    // What was paid for is paid for in all of the template.
    // biome-ignore lint/complexity/useLiteralKeys: TypeScript allows private members by literals alone
    spawned['registers'] = { ...this['registers'] }
    return spawned
  }
}

/** Charges all nodes of an engine, also those within tags. */
export function meterRenderer(engine: Liquid, kind: OutputKind): void {
  engine.renderer.renderTemplates = function* (nodes, ctx, emitter = new Captured(kind) as Emitter) {
    charge(BLOCK)
    let current: Node | undefined
    try {
      for (const node of nodes) {
        current = node
        charge(unitsOf(node))
        foundNothing = false
        const text: unknown = yield node.render(ctx, emitter)
        if (foundNothing && node instanceof OutputNode) noteUnknown(node)
        if (text !== undefined && text !== '') emitter.write(text)
        if (ctx.breakCalled || ctx.continueCalled) break
      }
    } catch (error) {
      noteNode(current)
      throw error
    }
    return emitter.buffer
  }
}

/** Renders nodes within a budget. Data is copied at its first level, because `increment` writes there. */
export function renderNodes(
  engine: Liquid,
  nodes: Node[],
  { texts, ...data }: object & { texts?: CampaignTexts },
  maxChars: number,
): string {
  const ctx = new MeteredContext({ ...data }, engine.options, { sync: true }, { liquid: engine })
  setGiven(ctx, { data, texts })
  const output = new Output(maxChars)
  toValueSync(engine.renderer.renderTemplates(nodes, ctx, output))
  return output.buffer
}
