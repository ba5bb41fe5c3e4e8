// Parses the arguments, runs the command and prints its result; exit codes 0 ok, 1 failed, 2 wrong usage.

import { join } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { ApiError } from '../lib/api-error.ts'
import { NC } from '../lib/command-line.ts'
import { explainFile } from '../stores/sqlite/driver.ts'
import { type Command, type Flag, type Input, nameOf, type Outcome, type Table, UsageError } from './command.ts'
import type { CommandContext } from './command-context.ts'
import { findStoreFault } from './doctor/explain-fault.ts'

export interface Terminal {
  out(text: string): void
  err(text: string): void
}

const ALWAYS: Record<string, Flag> = {
  json: { meaning: 'Prints the answer as JSON.' },
  help: { meaning: 'Explains the command.' },
}

/** @returns The exit code; never throws. */
export async function dispatch(
  commands: readonly Command[],
  given: string[],
  terminal: Terminal,
  createContext: () => CommandContext,
): Promise<0 | 1 | 2> {
  const args = withHelpAsFlag(given)
  const command = findCommand(commands, args)
  if (command === undefined) return explain(commands, args, terminal)
  let context: CommandContext | undefined
  try {
    const input = parseInput(command, args.slice(command.verb === undefined ? 1 : 2))
    if (input.has('help')) {
      terminal.out(helpOf(command))
      return 0
    }
    requireAll(command, input)
    const opened = createContext()
    context = opened
    const outcome = await command.run(input, opened).finally(() => opened.close())
    terminal.out(input.has('json') ? `${JSON.stringify(outcome.data, null, 2)}\n` : toText(outcome))
    return outcome.failed ? 1 : 0
  } catch (error) {
    // The message tells the operator what to do; a stack trace would only hide it.
    terminal.err(explainError(error, context))
    if (!(error instanceof UsageError)) return 1
    terminal.err(`Try: ${NC} ${nameOf(command)} --help\n`)
    return 2
  }
}

/** @returns `help campaign` and `campaign help` as `campaign --help`; flags and their values as they are */
function withHelpAsFlag(args: string[]): string[] {
  const place = args.indexOf('help')
  const isWord = place !== -1 && args.slice(0, place).every((arg) => !arg.startsWith('-'))
  return isWord ? [...args.toSpliced(place, 1), '--help'] : args
}

/** Prints each error of the input below the message, with its path. */
function explainError(error: unknown, context: CommandContext | undefined): string {
  const explained = error instanceof ApiError || context === undefined ? error : explainStored(error, context)
  const message = explained instanceof Error ? explained.message : String(explained)
  const faults = error instanceof ApiError ? (error.extra.details ?? []) : []
  // One fault is the message.
  const lines = faults.map(({ path, message: fault }) => `  ${path}: ${fault}`)
  return (faults.length === 1 && faults[0]?.message === message ? [lines.join('').trim()] : [message, ...lines])
    .map((line) => `${line}\n`)
    .join('')
}

/** @returns an error of the store that names its place and the remedy; any other unchanged */
function explainStored(error: unknown, context: CommandContext): unknown {
  // The settings may be what is wrong: they are read for an error that has a code of a store alone.
  const ofFile = error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')
  if (ofFile) return explainFile(error, join(context.settings().dataDir, 'store.db'))
  const fault = findStoreFault(error, () => context.settings().databaseUrl)
  return fault === undefined ? error : new Error(fault, { cause: error })
}

function findCommand(commands: readonly Command[], [noun, verb]: string[]): Command | undefined {
  return commands.find((command) => command.noun === noun && (command.verb === undefined || command.verb === verb))
}

function explain(commands: readonly Command[], args: string[], terminal: Terminal): 0 | 2 {
  const [noun = '-'] = args
  const known = commands.filter((command) => command.noun === noun)
  const rows = (known.length > 0 ? known : commands).map((command) => [nameOf(command), command.summary])
  const text = `${NC} <noun> <verb> [--flags]\n\n${printTable({ columns: ['Command', 'Does'], rows })}\nEach takes --help and --json; --version prints the release. Exit codes: 0 ok, 1 failed, 2 wrong usage.\n`
  const wantsHelp = args.length === 0 || args.includes('--help') || args.includes('-h')
  if (wantsHelp && (noun.startsWith('-') || known.length > 0)) {
    terminal.out(text)
    return 0
  }
  const asked = args.filter((arg) => arg !== '--help').slice(0, 2)
  terminal.err(`There is no command "${asked.join(' ')}".\n\n${text}`)
  return 2
}

function parseInput(command: Command, args: string[]): Input {
  const flags = { ...command.flags, ...ALWAYS }
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value, many }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: many ?? false,
        ...(name === 'help' && { short: 'h' }),
      },
    ]),
  )
  const values = parsed(args, options)
  const list = (name: string): string[] => [values[name] ?? []].flat().filter((value) => typeof value === 'string')
  return {
    has: (name) => values[name] !== undefined,
    list,
    find: (name) => list(name)[0],
    text(name) {
      const [value] = list(name)
      if (value === undefined) throw new UsageError(`--${name} is missing.`)
      return value
    },
  }
}

function parsed(args: string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function requireAll({ flags = {} }: Command, input: Input): void {
  for (const [name, flag] of Object.entries(flags)) if (flag.required) input.text(name)
}

function helpOf(command: Command): string {
  const rows = Object.entries({ ...command.flags, ...ALWAYS }).map(([name, flag]) => [
    `--${name}${flag.value === undefined ? '' : ` <${flag.value}>`}`,
    `${flag.meaning}${flag.required ? ' Required.' : ''}${flag.many ? ' May be repeated.' : ''}`,
  ])
  return `${NC} ${nameOf(command)}\n\n${command.summary}\n\n${printTable({ columns: ['Flag', 'Means'], rows })}`
}

function toText({ lines = [], table }: Outcome): string {
  const text = lines.map((line) => `${line}\n`).join('')
  return table === undefined ? text : `${text}${printTable(table)}`
}

/** Formats columns as wide as their widest cell, two spaces between; removes characters that could move the cursor. */
export function printTable({ columns, rows }: Table): string {
  const cells = [columns, ...rows].map((row) => row.map((cell) => clean(cell === null ? '-' : String(cell))))
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  if (rows.length === 0) lines.push('(none)')
  return `${lines.join('\n')}\n`
}

/** Names come from customers and must not control the operator's terminal. */
function clean(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}
