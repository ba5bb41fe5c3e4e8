// Compiles and renders templates: Liquid over event, user, enriched, events, campaign and env, escaped for their
// output.

import type { Liquid } from 'liquidjs'
import type { CampaignTexts } from '../../domain/campaign-texts.ts'
import { clean } from '../../lib/clean-text.ts'
import { boundAddresses, writeIntoAddress } from './address-values.ts'
import { charge, OverBudget, withBudget } from './budget.ts'
import { bracketHint } from './fault-hints.ts'
import { quoteAttributes } from './html-attributes.ts'
import { hasPathsOfValues, keepOnSite } from './html-links.ts'
import { findOutputInTag } from './html-places.ts'
import { createEngine, TEMPLATE_LIMITS, textOf } from './liquid.ts'
import type { OutputKind } from './liquid-markup.ts'
import { parse } from './liquid-nodes.ts'
import { findPart, forgetPart } from './liquid-part.ts'
import { OutputTooLong, renderNodes } from './liquid-render.ts'
import { noteDoubt } from './noted-doubts.ts'
import { isHtml, prepareSource } from './prepared-source.ts'
import { mayPrintForUser, mayReadProfile } from './profile-reads.ts'

export type { OutputKind } from './liquid-markup.ts'

/** The data of a template. Objects are plain JSON. */
export interface TemplateScope {
  event: object
  user: object
  enriched: object
  events: object[]
  campaign: object
  env: object
  /** What links may have; no template prints them. */
  appSchemes?: readonly string[]
  /** Only in mails. */
  unsubscribeUrl?: string
  preferencesUrl?: string
  /** What the version uses of its environment's texts; absent where it uses none. No template reads it as data. */
  texts?: CampaignTexts
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
  /** True when it prints values alone, without tags and filters: its cost is small whatever the data is. */
  isPlain: boolean
  /** @throws TemplateError when it costs too much, its output is too long, or a tag or filter fails */
  render(scope: TemplateScope): string
}

const engines: Record<OutputKind, Liquid> = {
  text: createEngine('text'),
  markdown: createEngine('markdown'),
  html: createEngine('html'),
  layout: createEngine('layout'),
}

/** Compiles a customer's template. @returns its fault, or the template */
export function compileTemplate(written: string, kind: OutputKind): { template: Template } | { fault: TemplateFault } {
  const { sourceChars } = TEMPLATE_LIMITS[kind]
  if (written.length > sourceChars) return { fault: { message: `A template has at most ${sourceChars} characters.` } }
  const source = prepareSource(written, kind)
  const inTag = isHtml(kind) ? findOutputInTag(quoteAttributes(written)) : undefined
  if (inTag !== undefined) return { fault: inTag }
  const finish = finishOf(written, kind)
  const simple = compileSimple(source, kind, finish)
  if (simple !== undefined) return { template: simple }
  const engine = engines[kind]
  try {
    const { nodes, readsProfile } = parse(engine, source)
    const { outputChars } = TEMPLATE_LIMITS[kind]
    const render = (scope: TemplateScope) => meter(() => finish(renderNodes(engine, nodes, scope, outputChars)))
    return { template: { readsProfile: readsProfile || mayPrintForUser(source), isPlain: false, render } }
  } catch (error) {
    return { fault: withHint(toFault(errorIn(engine, written) ?? error), written) }
  }
}

/** Filters are added before a template is parsed, so that places are those of what its author wrote. */
function errorIn(engine: Liquid, written: string): unknown {
  try {
    parse(engine, written)
    return undefined
  } catch (error) {
    return error
  }
}

/**
 * Compiles a template that was checked when it was saved: when it is first rendered, or asked what it is, since that takes long
 * for pages, and a sandbox renders most. Rendering throws TemplateError when it has a fault all the same.
 */
export function mustCompileTemplate(written: string, kind: OutputKind): Template {
  return compileLater(() => written, kind)
}

/** Compiles a template whose output is an address, or nothing. */
export function mustCompileAddress(written: string): Template {
  return compileLater(() => boundAddresses(written, 'address'), 'text')
}

function compileLater(write: () => string, kind: OutputKind): Template {
  let known: { written: string; simple: Template | undefined } | undefined
  let compiled: Template | undefined
  function read() {
    if (known !== undefined) return known
    const written = write()
    const source = prepareSource(written, kind)
    const isChecked = !isHtml(kind) || findOutputInTag(source) === undefined
    known = { written, simple: isChecked ? compileSimple(source, kind, finishOf(written, kind)) : undefined }
    return known
  }
  return {
    get readsProfile() {
      const { written, simple } = read()
      return simple?.readsProfile ?? (mayReadProfile(written) || mayPrintForUser(written))
    },
    get isPlain() {
      return read().simple !== undefined
    },
    render(scope) {
      compiled ??= read().simple ?? compileChecked(read().written, kind)
      return compiled.render(scope)
    },
  }
}

/**
 * @returns What a page goes through once it is rendered: it is judged without the characters that no message keeps. A
 * value behind a slash of the author must not begin with another one.
 */
function finishOf(written: string, kind: OutputKind): (rendered: string) => string {
  if (!isHtml(kind)) return (rendered) => rendered
  return hasPathsOfValues(written) ? (rendered) => keepOnSite(clean(rendered)) : clean
}

function compileChecked(source: string, kind: OutputKind): Template {
  const compiled = compileTemplate(source, kind)
  if ('fault' in compiled) throw new TemplateError(compiled.fault.message)
  return compiled.template
}

const SIMPLE_OUTPUT =
  /\{\{\s*((?:event|user|enriched|campaign|env)(?:\.[A-Za-z_][A-Za-z0-9_]*)+|events\.size|unsubscribeUrl|preferencesUrl)\s*(?:\| url_value: "([a-z-]+)" )?\}\}/g
/** The number of a digest's events, which needs no engine: most digests print it. */
const DIGEST_SIZE = ['events', 'size']
/** Names after a dot that Liquid computes itself. */
const COMPUTED = new Set(['size', 'first', 'last'])

/** In units: a template without tags and filters takes at most 20 ms. */
const PLAIN_UNITS = 250_000

/**
 * Compiles a template without tags, filters and whitespace control. Most are like that and render at a twentieth of the
 * engine's cost.
 */
function compileSimple(source: string, kind: OutputKind, finish: (rendered: string) => string): Template | undefined {
  if (!source.includes('{{') && !source.includes('{%')) {
    const finished = finish(source)
    return { readsProfile: false, isPlain: true, render: () => finished }
  }
  const pieces: (string | undefined)[] = source.split(SIMPLE_OUTPUT)
  const literals = pieces.filter((_, index) => index % 3 === 0) as string[]
  if (literals.some((literal) => literal.includes('{{') || literal.includes('{%') || literal.includes('}}')))
    return undefined
  const paths = pieces.filter((_, index) => index % 3 === 1).map((path) => toPath(path as string))
  const modes = pieces.filter((_, index) => index % 3 === 2)
  if (paths.some((path) => path !== DIGEST_SIZE && path.some((word) => COMPUTED.has(word)))) return undefined
  return {
    readsProfile: paths.some((path) => path[0] === 'user' && path[1] !== 'id'),
    isPlain: true,
    render: (scope) => meter(() => finish(renderSimple({ literals, paths, modes }, scope, kind)), PLAIN_UNITS),
  }
}

interface SimpleTemplate {
  literals: string[]
  paths: string[][]
  /** How each value is written into an address; undefined elsewhere. */
  modes: (string | undefined)[]
}

function renderSimple({ literals, paths, modes }: SimpleTemplate, scope: TemplateScope, kind: OutputKind): string {
  const { outputChars } = TEMPLATE_LIMITS[kind]
  let output = literals[0] ?? ''
  for (const [i, path] of paths.entries()) {
    charge(path.length)
    const value = valueAt(scope, path)
    if (value === undefined) noteUnknown(path)
    const mode = modes[i]
    const printed = mode === undefined ? value : writeIntoAddress(textOf(value, 'text'), mode)
    output += textOf(printed, kind) + literals[i + 1]
    if (output.length > outputChars) throw new OutputTooLong(outputChars)
  }
  return output
}

/** Notes a printed path that nothing is at. Null is a value that is known to be missing, such as the name of a user. */
function noteUnknown(path: readonly string[]): void {
  noteDoubt('unknown-variable', path, () => [`prints ${path.join('.')}, which has no value`, null])
}

/** @returns The words of a path. The list of that of a digest's size is always `DIGEST_SIZE`. */
function toPath(text: string): string[] {
  return text === DIGEST_SIZE.join('.') ? DIGEST_SIZE : text.split('.')
}

/** Returns the value of a path through own properties; undefined where it ends early. */
function valueAt(scope: TemplateScope, path: string[]): unknown {
  if (path === DIGEST_SIZE) return scope.events.length
  let value: unknown = scope
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** Says at which tag or filter a template ended, and what to write instead. */
function toOverBudgetMessage({ reason, message }: OverBudget): string {
  const part = findPart()
  if (reason === 'refused' || part === undefined) return `The template ${message}.`
  if (reason === 'cost') return `The template costs too much: it ended at ${part.place}; ${part.hint}.`
  return `The template ${message}, by ${part.place}.`
}

/** Renders within a budget. It counts units, not time, so a template that renders on one machine does on all. */
function meter(render: () => string, units?: number): string {
  forgetPart()
  try {
    return withBudget(render, units)
  } catch (error) {
    throw new TemplateError(toFault(error).message)
  }
}

function withHint({ message, position }: TemplateFault, source: string): TemplateFault {
  const hint = bracketHint(source, position)
  const shown = hint === undefined ? message : `${message}. ${hint}`
  return position === undefined ? { message: shown } : { message: shown, position }
}

/** What Liquid has elsewhere and not here, by the end of its name, with what to write instead. */
const ABSENT: [name: RegExp, instead: string][] = [
  [/^raw$/, 'Write HTML in the template itself: what is printed is always escaped.'],
  [/_exp$/, 'Use the filter without _exp, such as where, or an if in a for.'],
  [/^sample$/, 'Use first or last.'],
  [/^include$/, 'Write a snippet, and render it by its name.'],
  [/^(?:render|t)$/, 'Texts of an environment are for its campaigns, not for layouts.'],
  [/^(?:layout|block)$/, 'The frame of mails is the layout of the notification config.'],
  [/^tablerow$/, 'Write the rows of a table in a for.'],
]

/** @returns The message of the engine, or for what it would have elsewhere that it does not exist here. */
function nameAbsent(message: string): string {
  const [, kind, name = ''] =
    /^(?:undefined (filter): (\w+)|(tag) "(\w+)" not found)/.exec(message)?.filter((one) => one !== undefined) ?? []
  const instead = ABSENT.find(([pattern]) => pattern.test(name))?.[1]
  return instead === undefined ? message : `The ${kind} ${name} does not exist here. ${instead}`
}

function toFault(error: unknown): TemplateFault {
  if (!(error instanceof Error)) return { message: 'The template could not be read.' }
  // The engine appends line, column and an excerpt to its errors; the original error has the message alone.
  const inner = 'originalError' in error && error.originalError instanceof Error ? error.originalError : error
  if (inner instanceof OverBudget) return { message: toOverBudgetMessage(inner) }
  if (inner instanceof RangeError && inner.message.includes('call stack'))
    return { message: 'The template is nested too deep.' }
  const message = nameAbsent(inner.message.replace(/, (?:file|line):[\s\S]*$/, '')).slice(0, 200)
  const token: unknown = 'token' in error ? error.token : undefined
  const begin = typeof token === 'object' && token !== null && 'begin' in token ? token.begin : undefined
  return typeof begin === 'number' ? { message, position: begin } : { message }
}
