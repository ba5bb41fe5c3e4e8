// Describes campaign definitions once: types, checks with path and position, the API reference. Each step adds its own part.

import { z } from 'zod'
import type { ErrorDetail } from '../../contract/errors.ts'
import { MAX_KEY_CHARS } from '../../contract/key.ts'
import { UNKNOWN_FIELD } from '../../contract/resources/fields.ts'
import type { StoredDefinition, StoredStep } from '../domain/campaign.ts'
import { ApiError } from '../lib/api-error.ts'
import { findEarlyAwaited } from './expression/condition.ts'
import { condition, duration, eventName, key, optional, stepKey, text } from './steps/fields.ts'
import { STEP_TYPES } from './steps/registry.ts'
import {
  type AnyStep,
  type CheckContext,
  isRecord,
  type StepList,
  type StepRules,
  valuesAt,
  type Written,
} from './steps/step-type.ts'

const MAX_NAME_CHARS = 200
const DEFAULT_MAX_LATENESS = 'PT24H'
const MAX_STEPS = 200
const MAX_DEPTH = 8
/** No answer lists more faults than this. */
const MAX_FAULTS = 100

const stepList: StepList = z.array(z.lazy(() => stepSchema)).max(MAX_STEPS, `At most ${MAX_STEPS} items.`)
const [first, ...others] = STEP_TYPES
const stepSchema: z.ZodType<AnyStep> = z
  .discriminatedUnion('type', [first.createSchema(stepList), ...others.map((type) => type.createSchema(stepList))])
  .meta({ id: 'Step' })

const triggerSchema = z.strictObject({ event: eventName(), where: optional(condition('`event` and `user`')) })

export const definitionSchema = z
  .strictObject({
    key: key().describe('Unique in the environment; it stays as it is.'),
    name: optional(text(MAX_NAME_CHARS).describe('Default: the key.')),
    category: text(MAX_KEY_CHARS).nullish(),
    notificationConfigId: text(MAX_KEY_CHARS).nullish(),
    maxLateness: optional(duration().describe(`ISO 8601 duration; default ${DEFAULT_MAX_LATENESS}.`)),
    trigger: triggerSchema,
    steps: z
      .array(stepSchema)
      .min(1, 'A campaign needs at least one step.')
      .max(MAX_STEPS, `At most ${MAX_STEPS} items.`),
  })
  .meta({ id: 'CampaignDefinition' })

/** A definition as it is stored: with its defaults. */
export const storedDefinitionSchema = definitionSchema
  .extend({
    name: z.string(),
    category: z.string().nullable(),
    notificationConfigId: z.string().nullable(),
    maxLateness: z.string().meta({ format: 'duration' }),
  })
  .meta({ id: 'StoredCampaignDefinition' })

type Schema = ReturnType<(typeof STEP_TYPES)[number]['createSchema']>
/** The type with the inner steps in place of `AnyStep`. */
type Nested<T> = T extends AnyStep[]
  ? StepInput[]
  : T extends (infer Item)[]
    ? Nested<Item>[]
    : T extends object
      ? { [Key in keyof T]: Nested<T[Key]> }
      : T
/** A step as customers write it. */
export type StepInput = Nested<z.input<Schema>>
/** A definition as customers write it. */
export type DefinitionInput = Omit<z.input<typeof definitionSchema>, 'steps'> & { steps: StepInput[] }

export type CampaignDefinition = z.output<typeof storedDefinitionSchema>

/** @returns The definition with its defaults. @throws `campaign/invalid-definition` with all faults */
export function parseDefinition(input: unknown): CampaignDefinition {
  if (!isRecord(input)) throw invalid([{ path: '', message: 'A definition is a JSON object.' }])
  const { faults, isTooLarge } = checkSteps(input)
  // A definition that nests too deep or has too many steps is not checked further.
  if (isTooLarge) throw invalid(faults)
  const result = definitionSchema.safeParse(input, { error: messageOf })
  if (!result.success) throw invalid([...result.error.issues.flatMap(toDetails), ...faults])
  const second = faults.length > 0 ? undefined : findSecond(result.data.steps)
  if (second !== undefined) throw invalid([second])
  if (faults.length > 0) throw invalid(faults)
  return withDefaults(result.data)
}

function withDefaults(definition: z.output<typeof definitionSchema>): CampaignDefinition {
  const {
    key,
    name = key,
    category = null,
    notificationConfigId = null,
    maxLateness = DEFAULT_MAX_LATENESS,
  } = definition
  const { trigger, steps } = definition
  const whole = { key, name, category, notificationConfigId, maxLateness, trigger, steps }
  // As the store returns it: absent fields have no key.
  return JSON.parse(JSON.stringify(whole)) as CampaignDefinition
}

function invalid(details: ErrorDetail[]): ApiError {
  return new ApiError('campaign/invalid-definition', { details: details.slice(0, MAX_FAULTS) })
}

const NOUNS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

/** The message of an issue whose field has none of its own. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue
  if (issue.code === 'invalid_union') {
    const types = STEP_TYPES.map(({ type }) => type).join(', ')
    const isAbsent = isRecord(input) && (input.type ?? undefined) === undefined
    return isAbsent ? 'This is missing.' : `Unknown step type; it must be one of ${types}.`
  }
  if (input === undefined || input === null) return 'This is missing.'
  if (issue.code === 'invalid_type') return `This must be ${NOUNS[issue.expected] ?? issue.expected}.`
  if (issue.code === 'custom') return 'This must be an object.'
  if (issue.code === 'invalid_value')
    return `This must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}.`
  return undefined
}

function toDetails(issue: z.core.$ZodIssue): ErrorDetail[] {
  // A field that would vanish is not what its author meant.
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: UNKNOWN_FIELD }))
  }
  const path = pathOf(issue.path)
  const position: unknown = issue.code === 'custom' ? issue.params?.position : undefined
  // A key of a record has issues of its own.
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
  return [typeof position === 'number' ? { path, message, position } : { path, message }]
}

function pathOf(keys: readonly PropertyKey[]): string {
  return keys.reduce<string>((path, key) => {
    if (typeof key === 'number') return `${path}[${key}]`
    return path === '' ? String(key) : `${path}.${String(key)}`
  }, '')
}

const TYPES: ReadonlyMap<unknown, StepRules> = new Map(STEP_TYPES.map((type) => [type.type, type]))
const stepId = stepKey()

function checkId(id: unknown, context: CheckContext): void {
  const result = stepId.safeParse(id, { error: messageOf })
  for (const { message } of result.error?.issues ?? []) context.fault('id', message)
}

/** Finds faults between fields and between steps: limits, ids, references. Single fields may have faults, too. */
function checkSteps(definition: Written): { faults: ErrorDetail[]; isTooLarge: boolean } {
  const faults: ErrorDetail[] = []
  const before = new Map<string, unknown>()
  let knowsAwaited = false
  let steps = 0
  let isTooLarge = false
  const contextAt = (at: string): CheckContext => ({
    before,
    fault: (path, message) => faults.push({ path: `${at}${path}`, message }),
    checkAwaited(path, source) {
      const fault = knowsAwaited || typeof source !== 'string' ? undefined : findEarlyAwaited(source)
      if (fault !== undefined) faults.push({ path: `${at}${path}`, ...fault })
    },
  })

  function checkList(list: unknown, path: string, depth: number): void {
    if (depth > MAX_DEPTH) {
      isTooLarge = true
      faults.push({ path, message: `Branches nest at most ${MAX_DEPTH} levels deep.` })
    } else if (Array.isArray(list)) {
      for (const [index, step] of list.slice(0, MAX_STEPS).entries()) {
        if (isRecord(step)) checkStep(step, `${path}[${index}].`, depth)
      }
    }
  }

  function checkStep(step: Written, at: string, depth: number): void {
    const context = contextAt(at)
    if (++steps === MAX_STEPS + 1) context.fault('id', `A campaign has at most ${MAX_STEPS} steps.`)
    if (steps > MAX_STEPS) {
      isTooLarge = true
      return
    }
    const { id } = step
    if (typeof id === 'string' && id !== '') {
      if (before.has(id)) context.fault('id', 'Another step of this campaign has that id.')
      before.set(id, step.type)
    }
    const type = TYPES.get(step.type)
    // The schema checks only the type of a step whose type is unknown.
    if (type === undefined) checkId(id, context)
    knowsAwaited ||= type?.bringsAwaited === true
    type?.check?.(step, context)
    for (const keys of type?.lists ?? []) {
      for (const { path, value } of valuesAt(step, keys)) checkList(value, `${at}${path}`, depth + 1)
    }
  }

  if (isRecord(definition.trigger)) contextAt('trigger.').checkAwaited('where', definition.trigger.where)
  checkList(definition.steps, 'steps', 1)
  return { faults, isTooLarge }
}

/** Whether messages of the campaign have the key of a branch: then its funnel is divided by them. */
export function hasBranches({ steps }: StoredDefinition): boolean {
  return steps.some(({ type }) => TYPES.get(type)?.namesBranches === true)
}

/** @returns All steps in their written order, inner steps after the step that has them. */
export function listSteps(steps: readonly StoredStep[]): StoredStep[] {
  return steps.flatMap((step) => {
    const lists = (TYPES.get(step.type)?.lists ?? []).flatMap((keys) => valuesAt(step, keys))
    return [step, ...lists.flatMap(({ value }) => (Array.isArray(value) ? listSteps(value as StoredStep[]) : []))]
  })
}

/** @returns The names of the ways that runs take from a step; none for a step with one. */
export function waysOf(step: StoredStep): string[] {
  return TYPES.get(step.type)?.ways?.(step) ?? []
}

/** Finds the second step of a type that a run may pass only once. Branches that exclude each other may have one each. */
function findSecond(steps: readonly AnyStep[]): ErrorDetail | undefined {
  return walkBranch(steps, 'steps', new Set()).second
}

function walkBranch(
  steps: readonly AnyStep[],
  path: string,
  before: ReadonlySet<string>,
): { passed: ReadonlySet<string>; second?: ErrorDetail } {
  let passed = before
  for (const [index, step] of steps.entries()) {
    const at = `${path}[${index}]`
    const { oncePerRun, lists = [] } = TYPES.get(step.type) ?? {}
    if (oncePerRun !== undefined) {
      if (passed.has(step.type)) return { passed, second: { path: `${at}.type`, message: oncePerRun } }
      passed = new Set([...passed, step.type])
    }
    const after = new Set(passed)
    for (const { path: list, value } of lists.flatMap((keys) => valuesAt(step, keys))) {
      const walked = walkBranch(value as AnyStep[], `${at}.${list}`, passed)
      if (walked.second !== undefined) return walked
      for (const type of walked.passed) after.add(type)
    }
    passed = after
  }
  return { passed }
}
