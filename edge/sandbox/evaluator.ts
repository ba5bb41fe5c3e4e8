// Evaluates plain campaigns at once, those of costly tenants and all others in a sandbox.

import type { CompiledCampaign, ResumeReason, RunDeps, RunStart, Suspended } from '../campaign/compiled.ts'
import { definitionSchema } from '../campaign/definition.ts'
import { type Begun, createLocalEvaluator, type Evaluator, type HeldScope } from '../campaign/evaluator.ts'
import { unitsSpent } from '../campaign/expression/budget.ts'
import { mustCompileCondition } from '../campaign/expression/condition.ts'
import { TemplateError } from '../campaign/expression/template.ts'
import type { StoredDefinition } from '../domain/campaign.ts'
import type { CampaignTexts } from '../domain/campaign-texts.ts'
import type { Gate, NewMessage } from '../domain/plan.ts'
import { ApiError } from '../lib/api-error.ts'
import { cutLists } from '../lib/cut-lists.ts'
import { withJsonText } from '../lib/lazy-json.ts'
import { createCostlyTenants } from './costly-tenants.ts'
import type { Sandbox } from './sandbox.ts'
import type { SentCampaign, SentScope, SentStart, SentSuspended, WrittenCampaign } from './tasks.ts'

export function createEvaluator(deps: RunDeps, sandbox: Sandbox): Evaluator {
  const local = createLocalEvaluator(deps)
  const { ids, clock } = deps
  const costly = createCostlyTenants()
  const isPlain = ({ campaign, environment }: RunStart) => campaign.isPlain && !costly.has(environment.id)
  function evaluateHere<T>(environmentId: number, evaluate: () => T): T {
    const before = unitsSpent()
    try {
      return evaluate()
    } finally {
      costly.record(environmentId, unitsSpent() - before)
    }
  }
  return {
    begin(start) {
      if (isPlain(start)) return evaluateHere(start.environment.id, () => local.begin(start))
      const input = { start: sendStart(start), runId: ids.run.next() }
      return sandbox.run(start.environment.id, 'begin', input, clock.now()).then((begun) => {
        if (begun.result !== null) nameMessages(deps, begun.result)
        return begun
      }, toBegun)
    },
    continueRun(suspended, reason) {
      const { id } = suspended.start.environment
      if (isPlain(suspended.start) && isLight(suspended, reason)) {
        return evaluateHere(id, () => local.continueRun(suspended, reason))
      }
      const input = { suspended: sendSuspended(suspended), reason }
      return sandbox.run(id, 'continue', input, clock.now()).then((continued) => nameMessages(deps, continued))
    },
    judge(suspended, arrivals) {
      const { id } = suspended.start.environment
      const isShort = arrivals.length <= JUDGED_HERE && suspended.chars <= LIGHT_CHARS
      if (isPlain(suspended.start) && isShort) return evaluateHere(id, () => local.judge(suspended, arrivals))
      const input = { suspended: sendSuspended(suspended), arrivals: arrivals.map(sendProperties) }
      return sandbox.run(id, 'judge', input, clock.now())
    },
    dryRun(start, options) {
      if (isPlain(start)) return evaluateHere(start.environment.id, () => local.dryRun(start, options))
      const input = { start: sendStart(start), runId: ids.run.next(), ...options }
      return sandbox
        .run(start.environment.id, 'dry-run', input, clock.now())
        .then((result) => ('mismatch' in result ? result : nameMessages(deps, result)))
    },
    preview(environmentId, campaign, stepId, scope, defaults) {
      if (campaign.isPlain && !costly.has(environmentId)) {
        return evaluateHere(environmentId, () => local.preview(environmentId, campaign, stepId, scope, defaults))
      }
      return sandbox.run(environmentId, 'preview', { campaign: sendCampaign(campaign), stepId, scope, defaults })
    },
    check(environmentId, definition) {
      if (isSmall(definition)) return local.check(environmentId, definition)
      const cut = cutLists(definitionSchema, definition)
      return sandbox.run(environmentId, 'check', { definition: cut }).catch(refuseDefinition)
    },
    findLinkFaults(environmentId, definition, schemes) {
      if (isSmall(definition)) return local.findLinkFaults(environmentId, definition, schemes)
      return sandbox.run(environmentId, 'find-links', { definition, schemes }).catch(refuseDefinition)
    },
    holds(environmentId, condition, scopes) {
      const isPlain = mustCompileCondition(condition).isPlain && !costly.has(environmentId)
      const isShort = condition.length <= HELD_CHARS && scopes.length <= HELD_HERE
      if (isPlain && isShort && scopes.every(({ chars }) => chars <= LIGHT_CHARS)) {
        return evaluateHere(environmentId, () => local.holds(environmentId, condition, scopes))
      }
      const parts = Array.from({ length: Math.ceil(scopes.length / HELD_TOGETHER) }, (_, at) =>
        scopes.slice(at * HELD_TOGETHER, (at + 1) * HELD_TOGETHER).map(sendEvent),
      )
      const held = parts.map((part) => sandbox.run(environmentId, 'holds', { condition, scopes: part }))
      return Promise.all(held).then((lists) => lists.flat())
    },
  }
}

/** JSON that is parsed at once: a longer one may hold a million values. */
const LIGHT_CHARS = 65_536

function isLight({ chars }: Suspended, reason: ResumeReason): boolean {
  return chars + (reason.by === 'events' ? reason.events.length : 0) <= LIGHT_CHARS
}

/** Events that a wait of a plain campaign checks at once: the most costly plain condition takes 15 ms of each. */
const JUDGED_HERE = 2
/** Scopes of a plain condition that are evaluated at once, and scopes of one task. */
const HELD_HERE = 2
const HELD_CHARS = 4096
const HELD_TOGETHER = 10

/** Larger definitions take more than some 20 ms to be checked. */
const SMALL = { chars: 8192, tags: 200 }

function isSmall(definition: unknown): boolean {
  const text = JSON.stringify(definition) ?? ''
  return text.length <= SMALL.chars && (text.match(/\{[{%]/g)?.length ?? 0) <= SMALL.tags
}

/** What ends a process is the fault of the definition that it checked. */
function refuseDefinition(error: unknown): never {
  if (!(error instanceof TemplateError)) throw error
  throw new ApiError('campaign/invalid-definition', { details: [{ path: '', message: TOO_COSTLY }] })
}

const TOO_COSTLY = 'This takes too long to check: it has too many steps, or too long conditions and templates.'

/** A campaign that ended its processes begins no run, with the reason in the event's trace. */
function toBegun(error: unknown): Begun {
  if (!(error instanceof TemplateError)) throw error
  return { verdict: { holds: false, outcome: 'error', reason: error.message }, result: null }
}

/** The JSON of each definition with the texts that it had last, made once. */
const written = new WeakMap<StoredDefinition, { of: CampaignTexts | undefined; made: WrittenCampaign }>()

function sendCampaign({ campaign, version, definition, texts }: CompiledCampaign): SentCampaign {
  return { campaign, version, written: write(definition, texts) }
}

function write(definition: StoredDefinition, texts: CampaignTexts | undefined): WrittenCampaign {
  const known = written.get(definition)
  if (known !== undefined && known.of === texts) return known.made
  const made = { definition: JSON.stringify(definition), texts: texts === undefined ? null : JSON.stringify(texts) }
  written.set(definition, { of: texts, made })
  return made
}

const sendProperties = <T extends { properties: object }>(one: T) => withJsonText(one, 'properties')

const sendEvent = ({ event, ...rest }: HeldScope): SentScope => ({ ...rest, event: sendProperties(event) })

function sendStart({ campaign, policy, environment, event, ...start }: RunStart): SentStart {
  const { id, name, isProduction, appSchemes = [] } = environment
  return {
    ...start,
    event: sendProperties(event),
    environment: { id, name, isProduction, appSchemes },
    campaign: sendCampaign(campaign),
    policy: policy.data,
  }
}

const sendSuspended = ({ start, ...rest }: Suspended): SentSuspended => ({ ...rest, start: sendStart(start) })

/** Gives messages their ids: in the sandbox they have numbers from 1. */
function nameMessages<Made extends { messages: NewMessage[]; gates?: Gate[] }>({ ids }: RunDeps, made: Made): Made {
  const named = new Map<number, number>()
  // The other way of a gate begins with the same messages.
  const all = new Set([...made.messages, ...(made.gates ?? []).flatMap(({ otherwise }) => otherwise.messages)])
  for (const message of all) {
    const id = named.get(message.id) ?? ids.message.next()
    named.set(message.id, id)
    message.id = id
  }
  return made
}
