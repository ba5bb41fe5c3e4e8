// Stores the translations and snippets of environments.

import type { AuditEntry } from '../../domain/audit.ts'
import type { TextFile, TextFiles, TextSection } from '../../domain/campaign-texts.ts'
import { insertInto, namesOf, type RawRow, setExcluded, view } from '../tables/table.ts'
import { TEXT_FILE } from '../tables/text-file.ts'
import { recordAudit } from './audit.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

const VIEW = view(TEXT_FILE, '', namesOf(TEXT_FILE.columns))
const UPSERT = insertInto(
  TEXT_FILE,
  undefined,
  `ON CONFLICT (environment_id, section, name) DO UPDATE SET ${setExcluded(TEXT_FILE, ['content', 'updatedAt'])}
    WHERE text_file.content <> excluded.content
    RETURNING ${VIEW.columns}`,
)

export const textFileWrites = {
  async saveTextFile(context: WriteContext, file: TextFile, audit: AuditEntry): Promise<TextFile> {
    const [row] = await UPSERT.write<RawRow>(context.sql, [file])
    if (row !== undefined) await recordAudit(context, audit)
    const saved = row === undefined ? await findFile(context.sql, file) : VIEW.read(row)
    if (saved === undefined) throw new Error('text file missing after its upsert')
    return saved
  },
  async removeTextFile(
    context: WriteContext,
    environmentId: number,
    section: TextSection,
    name: string,
    audit: AuditEntry,
  ): Promise<boolean> {
    const text = 'DELETE FROM text_file WHERE environment_id = ? AND section = ? AND name = ?'
    const removed = await context.sql.run(text, [environmentId, section, name])
    if (removed > 0) await recordAudit(context, audit)
    return removed > 0
  },
}

export function createTextFiles(sql: Sql, writes: Writes<typeof textFileWrites>): TextFiles {
  return {
    save: writes.saveTextFile,
    remove: writes.removeTextFile,
    find: (environmentId, section, name) => findFile(sql, { environmentId, section, name }),
    async list(environmentId) {
      const text = `SELECT ${VIEW.columns} FROM text_file WHERE environment_id = ? ORDER BY section, name`
      return (await sql.all<RawRow>(text, [environmentId])).map(VIEW.read)
    },
  }
}

async function findFile(
  sql: Pick<Sql, 'one'>,
  { environmentId, section, name }: Pick<TextFile, 'environmentId' | 'section' | 'name'>,
): Promise<TextFile | undefined> {
  const text = `SELECT ${VIEW.columns} FROM text_file WHERE environment_id = ? AND section = ? AND name = ?`
  const row = await sql.one<RawRow>(text, [environmentId, section, name])
  return row && VIEW.read(row)
}
