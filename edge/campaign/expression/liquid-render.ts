// Renders nodes of Liquid: charges each node, each text that is written, and each read of a property.

import { Context, Drop, type Liquid, type Template as Node, toValueSync } from 'liquidjs'
import { charge, chargeChars, chargeText } from './budget.ts'
import { unitsOf } from './liquid-nodes.ts'
import { chargeNames } from './value-cost.ts'

/** In units: a block is a turn of a loop or a branch. */
const BLOCK = 15

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
    const printed = String(text)
    chargeChars(printed.length)
    if (this.buffer.length + printed.length > this.#maxChars) throw new OutputTooLong(this.#maxChars)
    this.buffer += printed
  }
}

/** Collects what a tag keeps as a text, such as `capture`. */
class Captured {
  buffer = ''
  write(text: unknown): void {
    const printed = String(text)
    chargeText(this.buffer.length + printed.length)
    this.buffer += printed
  }
}

type Key = Parameters<Context['readProperty']>[1]

/** Lists and objects are no keys: JavaScript would print them to compare. */
const isKey = (key: unknown) => typeof key !== 'object' || key === null || key instanceof Drop

/** Reads properties at their price. */
class MeteredContext extends Context {
  override _get(paths: Key[]) {
    return super._get(isKey(paths[0]) ? paths : [''])
  }
  override readProperty(object: Parameters<Context['readProperty']>[0], key: Key): unknown {
    // The objects of the engine have methods, which their prototypes share among all templates.
    if (!isKey(key) || key === '__proto__') return undefined
    // The engine counts the names of an object.
    if (key === 'size' && typeof object === 'object' && object !== null && !Array.isArray(object)) chargeNames(object)
    return super.readProperty(object, key)
  }
  override spawn(scope: object = {}): MeteredContext {
    const { sync, globals, strictVariables, ownPropertyOnly, memoryLimit, renderLimit, liquid } = this
    const options = { sync, globals, strictVariables, ownPropertyOnly }
    return new MeteredContext(scope, this.opts, options, { memoryLimit, renderLimit, liquid })
  }
}

/** Charges all nodes of an engine, also those within tags. */
export function meterRenderer(engine: Liquid): void {
  engine.renderer.renderTemplates = function* (nodes, ctx, emitter = new Captured()) {
    charge(BLOCK)
    for (const node of nodes) {
      charge(unitsOf(node))
      const text: unknown = yield node.render(ctx, emitter)
      if (text !== undefined && text !== '') emitter.write(text)
      if (ctx.breakCalled || ctx.continueCalled) break
    }
    return emitter.buffer
  }
}

/** Renders nodes within a budget. Data is copied at its first level, because `increment` writes there. */
export function renderNodes(engine: Liquid, nodes: Node[], scope: object, maxChars: number): string {
  const ctx = new MeteredContext({ ...scope }, engine.options, { sync: true }, { liquid: engine })
  const output = new Output(maxChars)
  toValueSync(engine.renderer.renderTemplates(nodes, ctx, output))
  return output.buffer
}
