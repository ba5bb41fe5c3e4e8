// Describes the table of translations and snippets.

import type { TextFile, TextSection } from '../../domain/campaign-texts.ts'
import { type ColumnsOf, integer, table, text, textOf } from './table.ts'

export const TEXT_FILE = table('text_file', {
  environmentId: integer(),
  section: textOf<TextSection>(),
  name: text(),
  content: text(),
  createdAt: integer(),
  updatedAt: integer(),
} satisfies ColumnsOf<TextFile>)
