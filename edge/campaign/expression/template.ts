// Compiles and renders templates: Liquid over event, user, enriched, events, campaign and env, escaped for their
// output.

import type { Liquid, Template as LiquidNode } from 'liquidjs'
import { createEngine, type OutputKind, TEMPLATE_LIMITS, textOf } from './liquid.ts'

export type { OutputKind } from './liquid.ts'

/** The data of a template. Objects are plain JSON. */
export interface TemplateScope {
  event: object
  user: object
  enriched: object
  events: object[]
  campaign: object
  env: object
}

/** A fault; `position` is a 0-based offset in the template. */
export interface TemplateFault {
  message: string
  position?: number
}

/** Reports a template that did not render; the trace records the reason. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError'
}

export interface Template {
  /** True when it reads more of the user than `user.id`, so the profile must be loaded. */
  readsProfile: boolean
  /** True when its cost is proved to be small: it has no tags and no filters. */
  isPlain: boolean
  /** @throws TemplateError when a limit is exceeded or a tag or filter fails */
  render(scope: TemplateScope): string
}

const engines: Record<OutputKind, Liquid> = {
  text: createEngine('text'),
  markdown: createEngine('markdown'),
  html: createEngine('html'),
  layout: createEngine('layout'),
}

/** Compiles a customer's template. @returns its fault, or the template */
export function compileTemplate(source: string, kind: OutputKind): { template: Template } | { fault: TemplateFault } {
  const { sourceChars } = TEMPLATE_LIMITS[kind]
  if (source.length > sourceChars) return { fault: { message: `A template has at most ${sourceChars} characters.` } }
  const simple = compileSimple(source, kind)
  if (simple !== undefined) return { template: simple }
  const engine = engines[kind]
  try {
    const nodes = engine.parse(source)
    return {
      template: {
        readsProfile: readsProfile(engine, nodes),
        isPlain: false,
        render: (scope) => render(engine, nodes, scope, kind),
      },
    }
  } catch (error) {
    return { fault: toFault(error) }
  }
}

/** Compiles a template that was checked when it was saved. @throws TemplateError when it has a fault all the same */
export function mustCompileTemplate(source: string, kind: OutputKind): Template {
  const compiled = compileTemplate(source, kind)
  if ('fault' in compiled) throw new TemplateError(compiled.fault.message)
  return compiled.template
}

const SIMPLE_OUTPUT = /\{\{\s*((?:event|user|enriched|campaign|env)(?:\.[A-Za-z_][A-Za-z0-9_]*)+)\s*\}\}/g
/** Names after a dot that Liquid computes itself. */
const COMPUTED = new Set(['size', 'first', 'last'])

/**
 * Compiles a template without tags, filters and whitespace control. Most are like that and render at a twentieth of the
 * engine's cost.
 */
function compileSimple(source: string, kind: OutputKind): Template | undefined {
  if (!source.includes('{{') && !source.includes('{%'))
    return { readsProfile: false, isPlain: true, render: () => source }
  const pieces = source.split(SIMPLE_OUTPUT)
  const literals = pieces.filter((_, index) => index % 2 === 0)
  if (literals.some((literal) => literal.includes('{{') || literal.includes('{%') || literal.includes('}}')))
    return undefined
  const paths = pieces.filter((_, index) => index % 2 === 1).map((path) => path.split('.'))
  if (paths.some((path) => path.some((word) => COMPUTED.has(word)))) return undefined
  return {
    readsProfile: paths.some((path) => path[0] === 'user' && path[1] !== 'id'),
    isPlain: true,
    render(scope) {
      let output = literals[0] ?? ''
      for (let i = 0; i < paths.length; i++) {
        output += textOf(valueAt(scope, paths[i] as string[]), kind) + literals[i + 1]
      }
      return checkLength(output, kind)
    },
  }
}

/** Returns the value of a path through own properties; undefined where it ends early. */
function valueAt(scope: TemplateScope, path: string[]): unknown {
  let value: unknown = scope
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** Renders a second time when only the time limit was exceeded, because a busy machine must not prevent a message. */
function render(engine: Liquid, nodes: LiquidNode[], scope: TemplateScope, kind: OutputKind): string {
  let fault: TemplateFault | undefined
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const output: unknown = engine.renderSync(nodes, scope)
      return checkLength(typeof output === 'string' ? output : '', kind)
    } catch (error) {
      fault = toFault(error)
      if (!fault.message.startsWith('template render limit')) break
    }
  }
  throw new TemplateError(fault?.message ?? 'The template could not be rendered.')
}

function checkLength(output: string, kind: OutputKind): string {
  const { outputChars } = TEMPLATE_LIMITS[kind]
  if (output.length > outputChars) throw new TemplateError(`The output has more than ${outputChars} characters.`)
  return output
}

function readsProfile(engine: Liquid, nodes: LiquidNode[]): boolean {
  const { globals } = engine.analyzeSync(nodes, { partials: false })
  return (globals.user ?? []).some((variable) => variable.segments[1] !== 'id')
}

function toFault(error: unknown): TemplateFault {
  if (!(error instanceof Error)) return { message: 'The template could not be read.' }
  // The engine appends line, column and an excerpt to its errors; the original error has the message alone.
  const inner = 'originalError' in error && error.originalError instanceof Error ? error.originalError : error
  const message = inner.message.replace(/, (?:file|line):[\s\S]*$/, '').slice(0, 200)
  const token: unknown = 'token' in error ? error.token : undefined
  const begin = typeof token === 'object' && token !== null && 'begin' in token ? token.begin : undefined
  return typeof begin === 'number' ? { message, position: begin } : { message }
}
