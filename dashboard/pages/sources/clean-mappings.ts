// Turns mappings as they are typed into those that are sent.

import type { SourceMapping } from '../../../contract/tenant.ts'

/** @returns Without spaces around texts, and without lines that are empty. */
export function cleanMappings(mappings: readonly SourceMapping[]): SourceMapping[] {
  return mappings.map(({ providerEvent, event, userIdPath, propertiesPath, traits }) => {
    const names = (traits ?? []).map((trait) => trait.trim()).filter((trait) => trait !== '')
    return {
      providerEvent: providerEvent.trim(),
      event: textOrNull(event),
      userIdPath: textOrNull(userIdPath),
      // An empty text is the whole item.
      propertiesPath: propertiesPath === '' ? '' : textOrNull(propertiesPath),
      ...(names.length > 0 && { traits: names }),
    }
  })
}

const textOrNull = (text: string | null): string | null => text?.trim() || null
