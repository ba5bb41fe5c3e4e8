// Reads the definition of a campaign as a tree: steps, the ways that a step has, and the steps of each way.

type Json = Readonly<Record<string, unknown>>

export interface FlowStep {
  /** Unique in the campaign. */
  id: string
  type: string
  /** As it is written. */
  written: Json
  /** Empty unless the run takes one of several ways, and where they are folded. */
  ways: FlowWay[]
  /** The ways of a folded step. */
  folded?: FlowWay[]
}

export interface FlowWay {
  /** As in the numbers of the step; empty for the way of a branch that takes no branch. */
  key: string
  /** The branch as it is written; empty for a way that has only steps. */
  written: Json
  steps: FlowStep[]
}

export interface Flow {
  event: string
  /** The condition of the trigger. */
  where: string | undefined
  steps: FlowStep[]
}

/** Ids of what is no step. Keys have no slash. */
export const TRIGGER = '/trigger'
export const END = '/end'
export const wayId = (stepId: string, key: string): string => `${stepId}/${key}`

/** @param definition A draft or a version, as the API returns it. */
export function readFlow(definition: Json): Flow {
  const trigger = recordOf(definition.trigger)
  return {
    event: textOf(trigger.event),
    where: typeof trigger.where === 'string' ? trigger.where : undefined,
    steps: stepsOf(definition.steps),
  }
}

const stepsOf = (written: unknown): FlowStep[] => listOf(written).map(stepOf)

function stepOf(written: Json): FlowStep {
  const type = textOf(written.type)
  return { id: textOf(written.id), type, written, ways: waysOf(type, written) }
}

function waysOf(type: string, written: Json): FlowWay[] {
  if (type === 'waitFor') {
    return [
      { key: 'taken', written: {}, steps: stepsOf(written.then) },
      { key: 'not-taken', written: {}, steps: stepsOf(written.onTimeout) },
    ]
  }
  if (type !== 'branch') return []
  const branches = listOf(written.branches)
  const ways = branches.map((one): FlowWay => ({ key: textOf(one.key), written: one, steps: stepsOf(one.steps) }))
  // A weight or an else takes all runs that are left.
  const takesAll = branches.some((one) => one.else === true || (typeof one.weight === 'number' && one.weight > 0))
  return takesAll ? ways : [...ways, { key: '', written: {}, steps: [] }]
}

/** @returns Whether no run comes out below these steps. */
export const endsIn = (steps: readonly FlowStep[]): boolean =>
  steps.some((step) => {
    const ways = waysBelow(step)
    return step.type === 'exit' || (ways.length > 0 && ways.every((way) => endsIn(way.steps)))
  })

/** @returns The ways of a step, folded or not. */
export const waysBelow = ({ ways, folded }: FlowStep): FlowWay[] => folded ?? ways

/** @returns The flow without what is below the steps of these ids. */
export function foldFlow(flow: Flow, folded: ReadonlySet<string>): Flow {
  const foldSteps = (steps: FlowStep[]): FlowStep[] =>
    steps.map((step) => {
      if (step.ways.length === 0) return step
      if (folded.has(step.id)) return { ...step, ways: [], folded: step.ways }
      return { ...step, ways: step.ways.map((way) => ({ ...way, steps: foldSteps(way.steps) })) }
    })
  return folded.size === 0 ? flow : { ...flow, steps: foldSteps(flow.steps) }
}

/** @returns The ids of the steps around a step, the outermost first; undefined when it is not among these. */
export function stepsAround(steps: readonly FlowStep[], id: string): string[] | undefined {
  for (const step of steps) {
    if (step.id === id) return []
    for (const way of waysBelow(step)) {
      const found = stepsAround(way.steps, id)
      if (found !== undefined) return [step.id, ...found]
    }
  }
  return undefined
}

/** @returns How many steps are in these ways, at any depth. */
export const countSteps = (ways: readonly FlowWay[]): number =>
  ways.reduce((sum, { steps }) => steps.reduce((count, step) => count + 1 + countSteps(waysBelow(step)), sum), 0)

const recordOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(recordOf) : [])

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** @returns The steps at any depth, in their written order. */
export const allSteps = (steps: readonly FlowStep[]): FlowStep[] =>
  steps.flatMap((step) => [step, ...step.ways.flatMap((way) => allSteps(way.steps))])
