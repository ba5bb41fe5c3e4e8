// Describes a type of step: the fields of its definition, the rules between them, and how it is compiled.

import { z } from 'zod'
import type { StoredStep } from '../../domain/campaign.ts'
import type { CompiledStep } from '../compiled.ts'
import { stepKey } from './fields.ts'

/** An inner step of any type. */
export type AnyStep = StoredStep

/** A field with a list of steps. */
export type StepList = z.ZodType<AnyStep[]>

/** The fields of a step as written, checked or not. */
export type Written = Readonly<Record<string, unknown>>

/** What the checks of a step may read apart from its own fields, and how they report faults. */
export interface CheckContext {
  /** Types of earlier steps by their ids. */
  before: ReadonlyMap<string, unknown>
  /** Reports a read of `awaited` in a condition before any waitFor; `path` is relative to the step. */
  checkAwaited(path: string, condition: unknown): void
  /** Reports a fault; `path` is relative to the step, such as `branches[0].when`. */
  fault(path: string, message: string): void
}

export interface CompileContext {
  category: string | null
  compileSteps(steps: readonly AnyStep[]): CompiledStep[]
}

export type CompileStep = (step: AnyStep, context: CompileContext) => CompiledStep

type Shape = z.core.$ZodLooseShape
type StepOf<Type extends string, Fields extends Shape> = { id: string; type: Type } & z.output<z.ZodObject<Fields>>

/** The rules of a type of step, whatever its fields. */
export interface StepRules {
  /** Text for the API reference. */
  description: string
  /** Paths to the step's lists of steps, through lists. A run takes at most one of them. */
  lists?: readonly (readonly string[])[]
  /** Conditions of this step and of later steps may read `awaited`. */
  bringsAwaited?: true
  /** Later messages have the key of a branch. */
  namesBranches?: true
  /** The names of the ways that a run may take from here: codes of its trace, or its outcomes. */
  ways?(written: Written): string[]
  /** A run passes at most one such step; the text is the fault of a second one. */
  oncePerRun?: string
  /** Reports faults between fields, or with other steps. Single fields may have faults, too. */
  check?(written: Written, context: CheckContext): void
}

interface StepSpec<Type extends string, Fields extends Shape> extends StepRules {
  /** The fields other than `id` and `type`. */
  fields(steps: StepList): Fields
  compile(step: StepOf<Type, Fields>, context: CompileContext): CompiledStep
}

export interface StepType<Type extends string, Fields extends Shape> extends StepRules {
  type: Type
  /** The name of its schema in the API reference. */
  title: string
  createSchema(steps: StepList): z.ZodObject<{ id: z.ZodString; type: z.ZodLiteral<Type> } & Fields>
  /** Compiles a step that the schema has accepted. @throws for a step of another type */
  compile: CompileStep
}

export function defineStep<const Type extends string, Fields extends Shape>(
  type: Type,
  { fields, compile, ...rules }: StepSpec<Type, Fields>,
): StepType<Type, Fields> {
  // The schema checked its fields when it was saved.
  const isOfType = (step: AnyStep): step is AnyStep & StepOf<Type, Fields> => step.type === type
  const title = `${type[0]?.toUpperCase()}${type.slice(1)}Step`
  return {
    ...rules,
    type,
    title,
    createSchema: (steps) =>
      z
        .strictObject({ id: stepKey(), type: z.literal(type), ...fields(steps) })
        .meta({ id: title, description: rules.description }),
    compile(step, context) {
      if (!isOfType(step)) throw new Error(`step has the wrong type: ${step.type} instead of ${type}`)
      return compile(step, context)
    },
  }
}

/** Returns the values at the end of `keys`, through lists, each with its path; absent ones are undefined. */
export function valuesAt(written: Written, keys: readonly string[]): { path: string; value: unknown }[] {
  const [key = '', ...rest] = keys
  const value = written[key] ?? undefined
  if (rest.length === 0) return [{ path: key, value }]
  return itemsOf(written, key).flatMap((item) =>
    valuesAt(item.written, rest).map((found) => ({ ...found, path: `${item.path}.${found.path}` })),
  )
}

/** Returns the objects of a list with their paths, such as `branches[0]`. */
export function itemsOf(written: Written, key: string): { path: string; written: Written }[] {
  const list = written[key]
  if (!Array.isArray(list)) return []
  return list.flatMap((item: unknown, index) => (isRecord(item) ? [{ path: `${key}[${index}]`, written: item }] : []))
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns whether a field is present; null counts as absent. */
export function has(written: Written, key: string): boolean {
  return written[key] !== undefined && written[key] !== null
}
