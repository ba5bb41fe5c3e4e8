// Stores the translations and snippets of environments.

import type { AuditEntry } from '../../domain/audit.ts'
import type { TextFile, TextFiles, TextSection } from '../../domain/campaign-texts.ts'
import { recordAudit } from './audit.ts'
import type { Sql } from './sql.ts'
import type { WriteContext, Writes } from './write.ts'

interface Row {
  environment_id: number
  section: TextSection
  name: string
  content: string
  created_at: number
  updated_at: number
}
const COLUMNS = 'environment_id, section, name, content, created_at, updated_at'

export const textFileWrites = {
  async saveTextFile(context: WriteContext, file: TextFile, audit: AuditEntry): Promise<TextFile> {
    const { environmentId, section, name, content, createdAt, updatedAt } = file
    const row = await context.sql.one<Row>(
      `INSERT INTO text_file (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (environment_id, section, name) DO UPDATE SET content = excluded.content, updated_at = excluded.updated_at
          WHERE text_file.content <> excluded.content
        RETURNING ${COLUMNS}`,
      [environmentId, section, name, content, createdAt, updatedAt],
    )
    if (row !== undefined) await recordAudit(context, audit)
    const saved = row ?? (await findRow(context.sql, environmentId, section, name))
    if (saved === undefined) throw new Error('text file missing after its upsert')
    return toFile(saved)
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
    async find(environmentId, section, name) {
      const row = await findRow(sql, environmentId, section, name)
      return row && toFile(row)
    },
    async list(environmentId) {
      const text = `SELECT ${COLUMNS} FROM text_file WHERE environment_id = ? ORDER BY section, name`
      return (await sql.all<Row>(text, [environmentId])).map(toFile)
    },
  }
}

function findRow(
  sql: Pick<Sql, 'one'>,
  environmentId: number,
  section: TextSection,
  name: string,
): Promise<Row | undefined> {
  const text = `SELECT ${COLUMNS} FROM text_file WHERE environment_id = ? AND section = ? AND name = ?`
  return sql.one<Row>(text, [environmentId, section, name])
}

function toFile(row: Row): TextFile {
  return {
    environmentId: row.environment_id,
    section: row.section,
    name: row.name,
    content: row.content,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
