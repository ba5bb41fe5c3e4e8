// Renders snippets of the environment in Liquid: `{% render 'footer', year: 2026 %}` has the template's data and its own arguments.

import { type Context, Hash, type Liquid, Tag, type TagToken, type TopLevelToken } from 'liquidjs'
import { createCache } from '../../lib/cache.ts'
import { charge } from './budget.ts'
import { quoteAttributes } from './html-attributes.ts'
import { endsInTag, findOutputInTag } from './html-places.ts'
import { givenOf } from './liquid-given.ts'
import type { OutputKind } from './liquid-markup.ts'
import { type Parsed, parse } from './liquid-nodes.ts'
import { prepareSource } from './prepared-source.ts'
import { addressOf, findArgument, setBuilt } from './snippet-arguments.ts'
import { MAX_SNIPPET_LEVELS } from './used-texts.ts'

type Emitter = Parameters<Tag['render']>[1]

/** In units. Parsing takes 20 µs a tag, once in each template, whether it was kept or not; a snippet has a scope. */
const COSTS = { tag: 400, char: 0.2, scope: 40 }
/** Of the parsed snippets of a kind of output, in characters of their sources. A tag of five takes 2 KB. */
const MAX_KEPT_CHARS = 128 * 1024
/** The registers of a context: how deep a snippet is, and which ones are paid for. */
const [LEVEL, PARSED] = ['snippet level', 'snippets parsed']

const ENDS_IN_TAG = 'A snippet ends in the text of the page, not within a tag, an attribute or styles.'

/** @returns the fault of a snippet as a part of HTML; undefined without one */
export function findHtmlFault(source: string): { message: string; position?: number } | undefined {
  const quoted = quoteAttributes(source)
  return findOutputInTag(quoted) ?? (endsInTag(quoted) ? { message: ENDS_IN_TAG } : undefined)
}

/** Registers the tag. A snippet is escaped for the output of the template that renders it. */
export function addSnippets(engine: Liquid, kind: OutputKind): void {
  const kept = createCache<string, Parsed>({ maxSize: MAX_KEPT_CHARS, sizeOf: (_, key) => key.length })
  function parseSnippet(name: string, source: string): Parsed {
    const fault = kind === 'html' ? findHtmlFault(source) : undefined
    if (fault !== undefined) throw new Error(`The snippet ${name}: ${fault.message}`)
    return parse(engine, prepareSource(source, kind, true), name)
  }
  function nodesOf(name: string, source: string): Parsed['nodes'] {
    const key = `${name} ${source}`
    const known = kept.get(key) ?? parseSnippet(name, source)
    kept.set(key, known)
    return known.nodes
  }

  engine.registerTag(
    'render',
    class extends Tag {
      readonly #name: string
      readonly #hash: Hash
      /** How the arguments begin that may be addresses. */
      readonly #beginnings: [name: string, beginnings: string][]
      constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
        super(token, remaining, liquid)
        const name = this.tokenizer.readQuoted()
        if (name === undefined) throw new Error('the tag render has the name of a snippet in quotes')
        this.#name = name.content
        const rest = this.tokenizer.remaining().trim()
        if (rest !== '' && !rest.startsWith(',')) throw new Error('after its name, the tag render has named arguments')
        this.#hash = new Hash(this.tokenizer)
        this.#beginnings = Object.entries(this.#hash.hash).flatMap(([argument, value]) => {
          if (kind === 'text' || value === undefined) return []
          const beginnings = findArgument(token.input, kind, value, token.begin)
          return beginnings === undefined ? [] : [[argument, beginnings]]
        })
      }
      *arguments() {
        yield* Object.values(this.#hash.hash).filter((one) => one !== undefined)
      }
      override *render(ctx: Context, emitter: Emitter): Generator<unknown, void, unknown> {
        const { texts, data } = givenOf(ctx)
        const name = this.#name
        const source = texts !== undefined && Object.hasOwn(texts.snippets, name) ? texts.snippets[name] : undefined
        if (source === undefined) throw new Error(`There is no snippet ${name}`)
        const level = Number(ctx.getRegister(LEVEL) ?? 0)
        if (level === MAX_SNIPPET_LEVELS) throw new Error('Snippets are nested too deep')
        charge(COSTS.scope)
        chargeParsing(ctx, name, source)
        const values = (yield this.#hash.render(ctx)) as Record<string, unknown>
        const child = ctx.spawn({ ...data })
        child.setRegister(LEVEL, level + 1)
        Object.assign(child.bottom(), values)
        const built = this.#beginnings.flatMap(([argument, beginnings]) => {
          const text = addressOf(values[argument], kind)
          return text === undefined ? [] : [{ text, beginnings }]
        })
        setBuilt(child, built)
        yield engine.renderer.renderTemplates(nodesOf(name, source), child, emitter)
      }
    },
  )
}

function chargeParsing(ctx: Context, name: string, source: string): void {
  const paid = (ctx.getRegister(PARSED) ?? ctx.setRegister(PARSED, new Set())) as Set<string>
  if (paid.has(name)) return
  paid.add(name)
  charge(COSTS.char * source.length + COSTS.tag * (source.split(/\{[{%]/).length - 1))
}
