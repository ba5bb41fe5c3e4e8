// Turns mappings as they are typed into those that are sent.

import type { SourceMapping } from '../../../contract/resources/source-mapping.ts'
import { cleanActions } from './mapping-actions.ts'

/** @returns Without spaces around texts, and without lines that are empty. */
export function cleanMappings(mappings: readonly SourceMapping[]): SourceMapping[] {
  return mappings.map((mapping) => {
    const { providerEvent, event, userIdPath, propertiesPath, traits } = mapping
    const names = (traits ?? []).map((trait) => trait.trim()).filter((trait) => trait !== '')
    return {
      providerEvent: providerEvent.trim(),
      event: textOrNull(event),
      userIdPath: pathsOf(userIdPath),
      // An empty text is the whole item.
      propertiesPath: propertiesPath === '' ? '' : textOrNull(propertiesPath),
      ...(names.length > 0 && { traits: names }),
      ...cleanActions(mapping),
    }
  })
}

/** @returns One path as a text, several as a list. */
function pathsOf(typed: string | string[] | null): string | string[] | null {
  const paths = [typed ?? []]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
  const [first, ...more] = paths.filter((path) => path !== '')
  return first === undefined ? null : more.length === 0 ? first : [first, ...more]
}

const textOrNull = (text: string | null): string | null => text?.trim() || null
