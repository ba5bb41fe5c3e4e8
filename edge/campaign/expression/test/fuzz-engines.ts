// Evaluates generated templates and conditions as the service does, and accepts no error but the documented ones.

import { compileCondition } from '../condition.ts'
import { checkHtmlLinks } from '../html-links.ts'
import { checkMarkdownLinks } from '../markdown.ts'
import { compileTemplate, type OutputKind, TemplateError } from '../template.ts'
import { generateCondition } from './generate-condition.ts'
import { generateTemplate } from './generate-template.ts'
import { HOSTILE } from './hostile-data.ts'
import { type Attack, type Outcome, TEMPLATE_ATTACKS } from './known-attacks.ts'
import type { Random } from './random.ts'

export interface FuzzEngine {
  generate(random: Random): string
  /** @throws any error that the service would not expect */
  evaluate(source: string, kind?: OutputKind): Outcome
  /** What was found before. */
  attacks: Attack[]
}

const KINDS: OutputKind[] = ['text', 'markdown', 'html', 'layout']

/** The kind of output follows from the source, so that a source alone repeats a case. */
const kindOf = (source: string) => KINDS[source.length % KINDS.length] as OutputKind

function evaluateTemplate(source: string, kind = kindOf(source)): Outcome {
  const compiled = compileTemplate(source, kind)
  if ('fault' in compiled) return 'fault'
  try {
    const output = compiled.template.render(HOSTILE)
    if (kind === 'markdown') checkMarkdownLinks(output)
    if (kind === 'html') checkHtmlLinks(output)
    return 'evaluated'
  } catch (error) {
    if (error instanceof TemplateError) return 'refused'
    throw error
  }
}

function evaluateCondition(source: string): Outcome {
  const compiled = compileCondition(source)
  if ('fault' in compiled) return 'fault'
  compiled.condition.evaluate(HOSTILE)
  return 'evaluated'
}

export const ENGINES: Record<'templates' | 'conditions', FuzzEngine> = {
  templates: { generate: generateTemplate, evaluate: evaluateTemplate, attacks: TEMPLATE_ATTACKS },
  conditions: { generate: generateCondition, evaluate: evaluateCondition, attacks: [] },
}
