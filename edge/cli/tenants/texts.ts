// Implements `nc translation …` and `nc snippet …`: the texts that campaigns of an environment share.

import type { Snippet, SnippetSummary, Translation, TranslationSummary } from '../../../contract/resources/text.ts'
import type { Command, Flag } from '../command.ts'
import { readJsonObject, readText } from '../read-json.ts'
import { ENV, inEnvironment } from '../targets.ts'

const LOCALE: Flag = { value: 'locale', meaning: 'Such as de or pt-BR.', required: true }
const NAME: Flag = { value: 'name', meaning: 'The snippet.', required: true }
const MESSAGES: Flag = {
  value: 'path',
  meaning: 'A JSON file of messages by key; - reads standard input.',
  required: true,
}
const SOURCE: Flag = { value: 'path', meaning: 'A file with the template; - reads standard input.', required: true }

export const textCommands: Command[] = [
  {
    noun: 'translation',
    verb: 'list',
    summary: 'Lists the locales of an environment with what each lacks of the default locale.',
    flags: { env: ENV },
    async run(input, context) {
      const routes = await inEnvironment(input, context)
      const data = await routes.list<TranslationSummary>('/translations')
      const rows = data.map((one) => [
        one.locale,
        one.isDefault ? 'yes' : '',
        one.keys,
        one.missingCount,
        one.updatedAt,
      ])
      return { data, table: { columns: ['Locale', 'Default', 'Keys', 'Missing', 'Changed'], rows } }
    },
  },
  {
    noun: 'translation',
    verb: 'show',
    summary: 'Shows the messages of a locale, in the form that put takes.',
    flags: { env: ENV, locale: LOCALE },
    async run(input, context) {
      const routes = await inEnvironment(input, context)
      const { messages } = await routes.call<Translation>('get', translation(input.text('locale')))
      return { data: messages, lines: [JSON.stringify(messages, null, 2)] }
    },
  },
  {
    noun: 'translation',
    verb: 'put',
    summary: 'Adds the messages of a locale, or replaces them as a whole.',
    flags: { env: ENV, locale: LOCALE, from: MESSAGES },
    async run(input, context) {
      const routes = await inEnvironment(input, context)
      const body = readJsonObject(input.text('from'))
      const data = await routes.call<Translation>('put', translation(input.text('locale')), { body })
      return { data, lines: [`${data.locale} has ${Object.keys(data.messages).length} messages. ${PUBLISH}`] }
    },
  },
  {
    noun: 'translation',
    verb: 'remove',
    summary: 'Removes the messages of a locale; published campaigns keep theirs.',
    flags: { env: ENV, locale: LOCALE },
    async run(input, context) {
      const routes = await inEnvironment(input, context)
      const locale = input.text('locale')
      const data = await routes.call('delete', translation(locale))
      return { data, lines: [`${locale} is gone.`] }
    },
  },
  {
    noun: 'snippet',
    verb: 'list',
    summary: 'Lists the snippets of an environment.',
    flags: { env: ENV },
    async run(input, context) {
      const routes = await inEnvironment(input, context)
      const data = await routes.list<SnippetSummary>('/snippets')
      const rows = data.map(({ name, chars, updatedAt }) => [name, chars, updatedAt])
      return { data, table: { columns: ['Name', 'Characters', 'Changed'], rows } }
    },
  },
  {
    noun: 'snippet',
    verb: 'show',
    summary: 'Shows the template of a snippet.',
    flags: { env: ENV, name: NAME },
    async run(input, context) {
      const routes = await inEnvironment(input, context)
      const data = await routes.call<Snippet>('get', snippet(input.text('name')))
      return { data, lines: [data.source] }
    },
  },
  {
    noun: 'snippet',
    verb: 'put',
    summary: 'Adds a snippet, or replaces it as a whole.',
    flags: { env: ENV, name: NAME, from: SOURCE },
    async run(input, context) {
      const routes = await inEnvironment(input, context)
      const body = { source: readText(input.text('from')) }
      const data = await routes.call<Snippet>('put', snippet(input.text('name')), { body })
      return { data, lines: [`${data.name} has ${data.source.length} characters. ${PUBLISH}`] }
    },
  },
  {
    noun: 'snippet',
    verb: 'remove',
    summary: 'Removes a snippet: campaigns that render it cannot be published from here on.',
    flags: { env: ENV, name: NAME },
    async run(input, context) {
      const routes = await inEnvironment(input, context)
      const name = input.text('name')
      const data = await routes.call('delete', snippet(name))
      return { data, lines: [`${name} is gone.`] }
    },
  },
]

const PUBLISH = 'Campaigns use them once they are published again.'
const translation = (locale: string) => `/translations/${encodeURIComponent(locale)}`
const snippet = (name: string) => `/snippets/${encodeURIComponent(name)}`
