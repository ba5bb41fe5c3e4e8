// Serves the texts that campaigns share: /v1/translations by locale, and /v1/snippets by name.

import type { JsonObject } from '../../../contract/json.ts'
import { keyName } from '../../../contract/resources/fields.ts'
import { pageQuery } from '../../../contract/resources/page.ts'
import {
  type SnippetContent,
  snippet,
  snippetContent,
  snippetSummary,
  translation,
  translationMessages,
  translationSummary,
} from '../../../contract/resources/text.ts'
import { pageOf } from '../../../contract/schemas.ts'
import type { ManageTexts } from '../../flow/texts/manage-texts.ts'
import { findFaults } from '../../lib/check-schema.ts'
import { changedBy, requireMayManage } from '../kernel/callers.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import { DOCUMENTS } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'

const BASE = { tag: 'Texts', caller: 'key' } as const
const CHANGE = { ...BASE, guards: [requireMayManage] } as const
const OF_TRANSLATIONS = '/v1/translations'
const OF_SNIPPETS = '/v1/snippets'

export function addTextRoutes(http: Http, { manageTexts }: Pick<Services, 'manageTexts'>): void {
  addTranslationRoutes(http, manageTexts.translations)
  addSnippetRoutes(http, manageTexts.snippets)
}

function addTranslationRoutes(http: Http, translations: ManageTexts['translations']): void {
  const path = `${OF_TRANSLATIONS}/:locale`
  const answer = { status: 200, schema: translation } as const
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: OF_TRANSLATIONS,
      role: 'viewer',
      summary: 'List the locales that have translations, each with what it lacks of the default locale',
      query: pageQuery,
      answer: { status: 200, schema: pageOf(translationSummary).openapi('TranslationPage') },
      errors: [],
    },
    (call) => translations.list(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path,
      role: 'viewer',
      summary: 'Read the messages of a locale',
      answer,
      errors: ['text/not-found'],
    },
    (call) => translations.get(call.environment.id, call.params.locale ?? ''),
  )
  addRoute<'key', JsonObject>(
    http,
    {
      ...CHANGE,
      method: 'put',
      path,
      role: 'editor',
      summary: 'Add or replace the messages of a locale; published campaigns keep theirs',
      ownBody: translationMessages,
      ...DOCUMENTS,
      answer,
      errors: ['authorization/not-allowed'],
    },
    (call) => translations.put(call.environment.id, call.params.locale ?? '', call.body, changedBy(call)),
  )
  addRoute<'key'>(
    http,
    {
      ...CHANGE,
      method: 'delete',
      path,
      role: 'editor',
      summary: 'Remove the messages of a locale; published campaigns keep theirs',
      answer: DELETED,
      errors: ['authorization/not-allowed', 'text/not-found'],
    },
    (call) => translations.remove(call.environment.id, call.params.locale ?? '', changedBy(call)),
  )
}

function addSnippetRoutes(http: Http, snippets: ManageTexts['snippets']): void {
  const path = `${OF_SNIPPETS}/:name`
  const answer = { status: 200, schema: snippet } as const
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: OF_SNIPPETS,
      role: 'viewer',
      summary: 'List snippets',
      query: pageQuery,
      answer: { status: 200, schema: pageOf(snippetSummary).openapi('SnippetPage') },
      errors: [],
    },
    (call) => snippets.list(call.environment.id, call.query),
  )
  addRoute(
    http,
    { ...BASE, method: 'get', path, role: 'viewer', summary: 'Read a snippet', answer, errors: ['text/not-found'] },
    (call) => snippets.get(call.environment.id, call.params.name ?? ''),
  )
  addRoute<'key', SnippetContent>(
    http,
    {
      ...CHANGE,
      method: 'put',
      path,
      role: 'editor',
      summary: 'Add or replace a snippet; published campaigns keep theirs',
      faults: (_, { name }) => findFaults(keyName, name, 'name'),
      body: snippetContent,
      answer,
      errors: ['authorization/not-allowed'],
    },
    (call) => snippets.put(call.environment.id, call.params.name ?? '', call.body, changedBy(call)),
  )
  addRoute<'key'>(
    http,
    {
      ...CHANGE,
      method: 'delete',
      path,
      role: 'editor',
      summary: 'Remove a snippet; campaigns that render it cannot be published from then on',
      answer: DELETED,
      errors: ['authorization/not-allowed', 'text/not-found'],
    },
    (call) => snippets.remove(call.environment.id, call.params.name ?? '', changedBy(call)),
  )
}
