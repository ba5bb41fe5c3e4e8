// Implements `nc migrate`, which updates the tables before a server is started, or reports what it would do.

import { planMigrations } from '../../stores/portable/migration-plan.ts'
import { type Pending, readPending } from '../../stores/portable/pending-migrations.ts'
import type { Command, Outcome } from '../command.ts'
import type { CommandContext } from '../command-context.ts'

export const migrateCommands: Command[] = [
  {
    noun: 'migrate',
    summary: 'Brings the tables up to date, as the start of a server does. On SQLite, stop the server first.',
    flags: {
      check: { meaning: 'Changes nothing: says what is missing, with exit code 1 when something is.' },
      plan: { meaning: 'Changes nothing: lists each missing step with its locks and about what it takes.' },
    },
    run: (input, context) => (input.has('plan') ? plan(context) : input.has('check') ? check(context) : apply(context)),
  },
]

async function check(context: CommandContext): Promise<Outcome> {
  const store = await context.openMaintenanceStore({ exclusive: false })
  try {
    const pending = await readPending(store)
    refuse(pending)
    const { version, missing } = pending
    const words = missing.length === 0 ? 'Nothing is missing.' : `Missing: ${missing.join(', ')}.`
    return { data: { version, missing }, lines: [`Tables of version ${version}. ${words}`], failed: missing.length > 0 }
  } finally {
    await store.close()
  }
}

async function plan(context: CommandContext): Promise<Outcome> {
  const store = await context.openMaintenanceStore({ exclusive: false })
  try {
    const pending = await readPending(store)
    refuse(pending)
    const { version, missing } = pending
    const steps = version === 0 ? [] : await planMigrations(store, pending)
    const seconds = steps.reduce((sum, step) => sum + step.seconds, 0)
    const words =
      missing.length === 0
        ? 'Nothing is missing.'
        : version === 0
          ? 'All tables are missing: a start makes them within a second.'
          : `${steps.length} steps, about ${seconds} s.`
    return {
      data: { version, missing, steps, seconds },
      lines: [`Tables of version ${version}. ${words}`],
      table: {
        columns: ['Migration', 'Step', 'Rows', 'Locks', 'About'],
        rows: steps.map((step) => [step.migration, step.step, step.rows, step.lock, `${step.seconds} s`]),
      },
    }
  } finally {
    await store.close()
  }
}

async function apply(context: CommandContext): Promise<Outcome> {
  const store = await context.openMaintenanceStore({ exclusive: true })
  try {
    const before = await readPending(store)
    refuse(before)
    const applied = await store.migrate(context.clock.now())
    const { version } = await readPending(store)
    const words = applied.length === 0 ? 'Nothing was missing.' : `Applied: ${applied.join(', ')}.`
    return { data: { from: before.version, version, applied }, lines: [`Tables of version ${version}. ${words}`] }
  } finally {
    await store.close()
  }
}

function refuse({ unfinishedImport, unknown, version }: Pending): void {
  if (unfinishedImport !== null) {
    throw new Error(
      `An import into this store was begun at ${unfinishedImport} and has not finished. Repeat the import.`,
    )
  }
  if (unknown.length > 0) {
    throw new Error(`The tables are of a newer program (version ${version}). Install that one, or a later one.`)
  }
}
