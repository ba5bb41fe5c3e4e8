// Holds the words below a mail, by language.

import { fallbackTags } from '../../domain/tenant/locale-tags.ts'

interface FooterWords {
  /** Why the person gets the mail. */
  why: string
  stop: string
  /** Leads to the page with the user's categories. */
  preferences: string
  /** In place of both, where nobody can turn the mails off. */
  always: string
  dir?: 'rtl'
}

const WORDS: Record<string, FooterWords> = {
  en: {
    why: 'You get this mail because of your settings for notifications.',
    stop: 'Unsubscribe',
    preferences: 'Preferences',
    always: 'This is an important message. Mails of this kind cannot be turned off.',
  },
  de: {
    why: 'Sie erhalten diese E-Mail aufgrund Ihrer Einstellungen für Benachrichtigungen.',
    stop: 'Abbestellen',
    preferences: 'Einstellungen',
    always: 'Dies ist eine wichtige Nachricht. E-Mails dieser Art lassen sich nicht abbestellen.',
  },
  fr: {
    why: 'Vous recevez cet e-mail en raison de vos préférences de notification.',
    stop: 'Se désabonner',
    preferences: 'Préférences',
    always: 'Ceci est un message important. Les e-mails de ce type ne peuvent pas être désactivés.',
  },
  es: {
    why: 'Recibes este correo por tus preferencias de notificaciones.',
    stop: 'Cancelar suscripción',
    preferences: 'Preferencias',
    always: 'Este es un mensaje importante. Los correos de este tipo no se pueden desactivar.',
  },
  it: {
    why: 'Ricevi questa e-mail in base alle tue preferenze di notifica.',
    stop: 'Annulla iscrizione',
    preferences: 'Preferenze',
    always: 'Questo è un messaggio importante. Le e-mail di questo tipo non si possono disattivare.',
  },
  nl: {
    why: 'Je ontvangt deze e-mail vanwege je meldingsinstellingen.',
    stop: 'Afmelden',
    preferences: 'Voorkeuren',
    always: 'Dit is een belangrijk bericht. E-mails van deze soort kun je niet uitschakelen.',
  },
  pt: {
    why: 'Você recebe este e-mail por causa das suas preferências de notificação.',
    stop: 'Cancelar inscrição',
    preferences: 'Preferências',
    always: 'Esta é uma mensagem importante. E-mails deste tipo não podem ser desativados.',
  },
  pl: {
    why: 'Otrzymujesz tę wiadomość zgodnie ze swoimi ustawieniami powiadomień.',
    stop: 'Wypisz się',
    preferences: 'Preferencje',
    always: 'To ważna wiadomość. Wiadomości tego rodzaju nie można wyłączyć.',
  },
  sv: {
    why: 'Du får det här mejlet på grund av dina aviseringsinställningar.',
    stop: 'Avsluta prenumerationen',
    preferences: 'Inställningar',
    always: 'Det här är ett viktigt meddelande. Mejl av det här slaget kan inte stängas av.',
  },
  ja: {
    why: '通知の設定に基づいてこのメールをお送りしています。',
    stop: '配信停止',
    preferences: '受信設定',
    always: '重要なお知らせです。この種類のメールは停止できません。',
  },
  ar: {
    why: 'تصلك هذه الرسالة بسبب إعدادات الإشعارات الخاصة بك.',
    stop: 'إلغاء الاشتراك',
    preferences: 'التفضيلات',
    always: 'هذه رسالة مهمة. لا يمكن إيقاف الرسائل من هذا النوع.',
    dir: 'rtl',
  },
  he: {
    why: 'קיבלת את ההודעה הזו בשל הגדרות ההתראות שלך.',
    stop: 'הסרה מרשימת התפוצה',
    preferences: 'העדפות',
    always: 'זוהי הודעה חשובה. אי אפשר לבטל הודעות מסוג זה.',
    dir: 'rtl',
  },
}

/** @returns the words in the language of the locale, else in English */
export function footerWords(locale: string | null) {
  const lang = fallbackTags(locale ?? '').find((tag) => Object.hasOwn(WORDS, tag)) ?? 'en'
  return { lang, dir: 'ltr' as 'ltr' | 'rtl', ...(WORDS[lang] as FooterWords) }
}
