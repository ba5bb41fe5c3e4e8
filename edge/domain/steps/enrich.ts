// The step `enrich`: asks a customer's endpoint for data while the run is under way (contract sections 6 and 8).

import type { EnrichStep } from '../campaign.ts'
import type { CompiledEnrichStep } from './compiled.ts'
import { readData } from './data.ts'
import { KEY_GRAMMAR, KEY_RULE, MAX_KEY_CHARS } from './key.ts'
import { compileData } from './message-content.ts'
import type { Reader } from './reader.ts'

export function parseEnrichStep(reader: Reader, id: string): EnrichStep {
  const enricher = reader.text('enricher', MAX_KEY_CHARS) ?? ''
  if (enricher !== '' && !KEY_GRAMMAR.test(enricher)) reader.fault('enricher', KEY_RULE)
  const params = reader.object('params')
  const onError = reader.oneOf('onError', ['stop', 'continue'])
  const step: EnrichStep = { id, type: 'enrich', enricher, params: params === undefined ? {} : readData(params) }
  return onError === undefined ? step : { ...step, onError }
}

export function compileEnrichStep(step: EnrichStep): CompiledEnrichStep {
  const { templates, render } = compileData(step.params)
  return {
    type: 'enrich',
    id: step.id,
    enricher: step.enricher,
    readsProfile: templates.some((template) => template.readsProfile),
    renderParams: render,
    goesOn: step.onError === 'continue',
  }
}
