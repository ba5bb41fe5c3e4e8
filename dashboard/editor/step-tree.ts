// Walks the steps of a definition as it is being written, which may be incomplete or faulty.

/** A definition as JSON. */
export type Draft = Readonly<Record<string, unknown>>
/** A step as JSON: it has `id` and `type` where its author has written them. */
export type DraftStep = Readonly<Record<string, unknown>>
/** Keys and indexes from the definition to a value, such as `['steps', 0, 'title']`. */
export type Path = readonly (string | number)[]

export interface PlacedStep {
  step: DraftStep
  path: Path
  /** 1 for a step of the campaign itself, 2 for one in its branch. */
  depth: number
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @returns the value at a path; undefined where there is none */
export function readAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return typeof key === 'number' ? at[key] : undefined
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, value)
}

export const samePath = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((key, index) => key === other[index])

/** Whether `path` is `outer` or a place inside of it. */
export const isWithin = (path: Path, outer: Path): boolean => samePath(path.slice(0, outer.length), outer)

/** @returns the paths of the lists of steps that a step has, from the step on: of its branches or its two ways */
export function listsOf(step: DraftStep): Path[] {
  if (step.type === 'branch') {
    const branches = Array.isArray(step.branches) ? step.branches : []
    return branches.map((_, index) => ['branches', index, 'steps'])
  }
  return step.type === 'waitFor' ? [['then'], ['onTimeout']] : []
}

/** @returns the steps of a list; what is no object is left out of walks, and stays where it is */
export const stepsAt = (draft: Draft, list: Path): readonly unknown[] => {
  const steps = readAt(draft, list)
  return Array.isArray(steps) ? steps : []
}

/** @returns all steps from top to bottom, each before its inner ones */
export function walkSteps(draft: Draft, list: Path = ['steps'], depth = 1): PlacedStep[] {
  return stepsAt(draft, list).flatMap((step, index) => {
    if (!isObject(step)) return []
    const path = [...list, index]
    return [
      { step, path, depth },
      ...listsOf(step).flatMap((inner) => walkSteps(draft, [...path, ...inner], depth + 1)),
    ]
  })
}

/** @returns such as `steps[0].branches[1].when`, as faults of the API name it */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text === '' ? key : `${text}.${key}`
  }, '')
}

/**
 * Finds the value that a fault of the API names.
 *
 * @param text such as `steps[0].branches[1].when`. A key with a dot in it is found where the draft has it.
 */
export function parsePath(text: string, draft: Draft): Path {
  const path: (string | number)[] = []
  let rest = text
  let at: unknown = draft
  while (rest !== '') {
    const index = /^\[(\d+)\]\.?/.exec(rest)
    const known = isObject(at) ? longestKey(Object.keys(at), rest) : undefined
    const key = index === null ? (known ?? /^[^.[]*/.exec(rest)?.[0] ?? rest) : Number(index[1])
    const taken = index === null ? String(key).length : index[0].length
    path.push(key)
    at = readAt(at, [key])
    rest = rest.slice(Math.max(1, taken))
    if (index === null && rest.startsWith('.')) rest = rest.slice(1)
  }
  return path
}

function longestKey(keys: readonly string[], text: string): string | undefined {
  const found = keys.filter(
    (key) => key !== '' && text.startsWith(key) && ['', '.', '['].includes(text[key.length] ?? ''),
  )
  return found.sort((one, other) => other.length - one.length)[0]
}
