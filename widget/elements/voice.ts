export type { I18n as Voice } from './i18n.ts'
