// Holds the words of the pages behind links of mails, by language.

export interface LinkWords {
  dir?: 'ltr' | 'rtl'
  /** An address that is not ours. */
  broken: readonly [title: string, text: string]
  /** The message was removed. */
  gone: readonly [title: string, text: string]
  critical: readonly [title: string, text: string]
  ask: string
  /** The button. */
  stop: string
  done: string
  /** `{}` is the category. */
  noMore: string
  noMoreOfAll: string
  /** The button behind the change, and what it leads to. */
  again: string
  back: string
  more: string
  moreOfAll: string
  /** The title of the page with the user's categories. */
  yours: string
  /** Messages without a category. */
  others: string
  /** In place of the button of a critical category. */
  always: string
}

const WORDS: Record<string, LinkWords> = {
  en: {
    broken: ['This link does not work', 'It may have been cut or changed on its way. Open it from the mail again.'],
    gone: ['This mail is no longer known', 'There is nothing left to unsubscribe from.'],
    critical: ['These mails cannot be turned off', 'They tell you what you need to know, such as about your account.'],
    ask: 'Unsubscribe?',
    stop: 'Unsubscribe',
    done: 'You are unsubscribed',
    noMore: 'You will get no more mails about “{}”.',
    noMoreOfAll: 'You will get no more mails, except for important ones.',
    again: 'Subscribe again',
    back: 'You are subscribed again',
    more: 'You get mails about “{}” as before.',
    moreOfAll: 'You get mails as before.',
    yours: 'Which mails you get',
    others: 'Other messages',
    always: 'Always sent',
  },
  de: {
    broken: [
      'Dieser Link funktioniert nicht',
      'Er wurde unterwegs vielleicht gekürzt oder verändert. Öffnen Sie ihn bitte noch einmal aus der E-Mail.',
    ],
    gone: ['Diese E-Mail ist nicht mehr bekannt', 'Es gibt nichts mehr abzubestellen.'],
    critical: [
      'Diese E-Mails lassen sich nicht abbestellen',
      'Sie enthalten, was Sie wissen müssen, zum Beispiel zu Ihrem Konto.',
    ],
    ask: 'E-Mails abbestellen?',
    stop: 'Abbestellen',
    done: 'Sie haben die E-Mails abbestellt',
    noMore: 'Sie erhalten keine E-Mails mehr zu „{}“.',
    noMoreOfAll: 'Sie erhalten keine E-Mails mehr, außer wichtigen.',
    again: 'Wieder bestellen',
    back: 'Sie erhalten die E-Mails wieder',
    more: 'Sie erhalten E-Mails zu „{}“ wie zuvor.',
    moreOfAll: 'Sie erhalten E-Mails wie zuvor.',
    yours: 'Welche E-Mails Sie erhalten',
    others: 'Andere Nachrichten',
    always: 'Immer gesendet',
  },
  fr: {
    broken: [
      'Ce lien ne fonctionne pas',
      'Il a peut-être été coupé ou modifié en route. Ouvrez-le à nouveau depuis l’e-mail.',
    ],
    gone: ['Cet e-mail n’est plus connu', 'Il n’y a plus rien à désabonner.'],
    critical: [
      'Ces e-mails ne peuvent pas être désactivés',
      'Ils contiennent ce que vous devez savoir, par exemple sur votre compte.',
    ],
    ask: 'Se désabonner ?',
    stop: 'Se désabonner',
    done: 'Vous êtes désabonné',
    noMore: 'Vous ne recevrez plus d’e-mails concernant « {} ».',
    noMoreOfAll: 'Vous ne recevrez plus d’e-mails, sauf les plus importants.',
    again: 'Se réabonner',
    back: 'Vous êtes de nouveau abonné',
    more: 'Vous recevez les e-mails concernant « {} » comme avant.',
    moreOfAll: 'Vous recevez les e-mails comme avant.',
    yours: 'Les e-mails que vous recevez',
    others: 'Autres messages',
    always: 'Toujours envoyé',
  },
  es: {
    broken: [
      'Este enlace no funciona',
      'Puede que se haya cortado o cambiado por el camino. Ábrelo de nuevo desde el correo.',
    ],
    gone: ['Este correo ya no se conoce', 'No queda nada que cancelar.'],
    critical: [
      'Estos correos no se pueden desactivar',
      'Contienen lo que necesitas saber, por ejemplo sobre tu cuenta.',
    ],
    ask: '¿Cancelar la suscripción?',
    stop: 'Cancelar suscripción',
    done: 'Suscripción cancelada',
    noMore: 'No recibirás más correos sobre «{}».',
    noMoreOfAll: 'No recibirás más correos, salvo los importantes.',
    again: 'Volver a suscribirse',
    back: 'Suscripción activa de nuevo',
    more: 'Recibes correos sobre «{}» como antes.',
    moreOfAll: 'Recibes correos como antes.',
    yours: 'Qué correos recibes',
    others: 'Otros mensajes',
    always: 'Siempre se envía',
  },
  it: {
    broken: [
      'Questo link non funziona',
      'Forse è stato tagliato o modificato lungo il percorso. Aprilo di nuovo dall’e-mail.',
    ],
    gone: ['Questa e-mail non è più nota', 'Non resta nulla da annullare.'],
    critical: [
      'Queste e-mail non si possono disattivare',
      'Contengono ciò che devi sapere, ad esempio sul tuo account.',
    ],
    ask: 'Annullare l’iscrizione?',
    stop: 'Annulla iscrizione',
    done: 'Iscrizione annullata',
    noMore: 'Non riceverai più e-mail su «{}».',
    noMoreOfAll: 'Non riceverai più e-mail, tranne quelle importanti.',
    again: 'Iscriviti di nuovo',
    back: 'Iscrizione di nuovo attiva',
    more: 'Ricevi le e-mail su «{}» come prima.',
    moreOfAll: 'Ricevi le e-mail come prima.',
    yours: 'Quali e-mail ricevi',
    others: 'Altri messaggi',
    always: 'Sempre inviato',
  },
  nl: {
    broken: [
      'Deze link werkt niet',
      'Misschien is hij onderweg afgebroken of veranderd. Open hem opnieuw vanuit de e-mail.',
    ],
    gone: ['Deze e-mail is niet meer bekend', 'Er is niets meer om je voor af te melden.'],
    critical: ['Deze e-mails kun je niet uitschakelen', 'Er staat in wat je moet weten, bijvoorbeeld over je account.'],
    ask: 'Afmelden?',
    stop: 'Afmelden',
    done: 'Je bent afgemeld',
    noMore: 'Je ontvangt geen e-mails meer over ‘{}’.',
    noMoreOfAll: 'Je ontvangt geen e-mails meer, behalve belangrijke.',
    again: 'Opnieuw aanmelden',
    back: 'Je bent weer aangemeld',
    more: 'Je ontvangt e-mails over ‘{}’ zoals voorheen.',
    moreOfAll: 'Je ontvangt e-mails zoals voorheen.',
    yours: 'Welke e-mails je krijgt',
    others: 'Andere berichten',
    always: 'Altijd verzonden',
  },
  pt: {
    broken: [
      'Este link não funciona',
      'Ele pode ter sido cortado ou alterado no caminho. Abra-o novamente a partir do e-mail.',
    ],
    gone: ['Este e-mail já não é conhecido', 'Não há mais nada para cancelar.'],
    critical: [
      'Estes e-mails não podem ser desativados',
      'Eles contêm o que você precisa saber, por exemplo sobre a sua conta.',
    ],
    ask: 'Cancelar a inscrição?',
    stop: 'Cancelar inscrição',
    done: 'Inscrição cancelada',
    noMore: 'Você não receberá mais e-mails sobre “{}”.',
    noMoreOfAll: 'Você não receberá mais e-mails, exceto os importantes.',
    again: 'Inscrever-se novamente',
    back: 'Inscrição ativa novamente',
    more: 'Você recebe e-mails sobre “{}” como antes.',
    moreOfAll: 'Você recebe e-mails como antes.',
    yours: 'Quais e-mails você recebe',
    others: 'Outras mensagens',
    always: 'Sempre enviado',
  },
  pl: {
    broken: ['Ten link nie działa', 'Mógł zostać po drodze ucięty lub zmieniony. Otwórz go ponownie z wiadomości.'],
    gone: ['Ta wiadomość nie jest już znana', 'Nie ma już z czego się wypisać.'],
    critical: ['Tych wiadomości nie można wyłączyć', 'Zawierają to, co trzeba wiedzieć, na przykład o koncie.'],
    ask: 'Wypisać się?',
    stop: 'Wypisz się',
    done: 'Subskrypcja wyłączona',
    noMore: 'Nie otrzymasz więcej wiadomości na temat „{}”.',
    noMoreOfAll: 'Nie otrzymasz więcej wiadomości, poza ważnymi.',
    again: 'Zapisz się ponownie',
    back: 'Subskrypcja znów włączona',
    more: 'Otrzymujesz wiadomości na temat „{}” jak dotąd.',
    moreOfAll: 'Otrzymujesz wiadomości jak dotąd.',
    yours: 'Jakie wiadomości otrzymujesz',
    others: 'Inne wiadomości',
    always: 'Zawsze wysyłane',
  },
  sv: {
    broken: ['Den här länken fungerar inte', 'Den kan ha kapats eller ändrats på vägen. Öppna den igen från mejlet.'],
    gone: ['Det här mejlet är inte längre känt', 'Det finns inget kvar att avsluta.'],
    critical: ['De här mejlen kan inte stängas av', 'De innehåller det du behöver veta, till exempel om ditt konto.'],
    ask: 'Avsluta prenumerationen?',
    stop: 'Avsluta prenumerationen',
    done: 'Prenumerationen är avslutad',
    noMore: 'Du får inga fler mejl om ”{}”.',
    noMoreOfAll: 'Du får inga fler mejl, utom viktiga.',
    again: 'Prenumerera igen',
    back: 'Du prenumererar igen',
    more: 'Du får mejl om ”{}” som förut.',
    moreOfAll: 'Du får mejl som förut.',
    yours: 'Vilka mejl du får',
    others: 'Andra meddelanden',
    always: 'Skickas alltid',
  },
  ja: {
    broken: ['このリンクは使えません', '途中で切れたか、変わった可能性があります。メールからもう一度開いてください。'],
    gone: ['このメールの記録はもうありません', '配信停止の対象がありません。'],
    critical: ['このメールは停止できません', 'アカウントなど、必要なお知らせが含まれています。'],
    ask: '配信を停止しますか',
    stop: '配信停止',
    done: '配信を停止しました',
    noMore: '「{}」に関するメールは届かなくなります。',
    noMoreOfAll: '重要なお知らせを除き、メールは届かなくなります。',
    again: '配信を再開する',
    back: '配信を再開しました',
    more: '「{}」に関するメールがこれまでどおり届きます。',
    moreOfAll: 'メールがこれまでどおり届きます。',
    yours: '受け取るメール',
    others: 'その他のメッセージ',
    always: '常に送信',
  },
  ar: {
    dir: 'rtl',
    broken: ['هذا الرابط لا يعمل', 'ربما قُطع أو تغيّر في الطريق. افتحه من الرسالة مرة أخرى.'],
    gone: ['هذه الرسالة لم تعد معروفة', 'لا يوجد ما يمكن إلغاء الاشتراك فيه.'],
    critical: ['لا يمكن إيقاف هذه الرسائل', 'تحتوي على ما تحتاج إلى معرفته، مثل ما يخص حسابك.'],
    ask: 'إلغاء الاشتراك؟',
    stop: 'إلغاء الاشتراك',
    done: 'تم إلغاء الاشتراك',
    noMore: 'لن تصلك رسائل أخرى حول «{}».',
    noMoreOfAll: 'لن تصلك رسائل أخرى، باستثناء المهمة منها.',
    again: 'الاشتراك مرة أخرى',
    back: 'تم الاشتراك مرة أخرى',
    more: 'تصلك الرسائل حول «{}» كما في السابق.',
    moreOfAll: 'تصلك الرسائل كما في السابق.',
    yours: 'الرسائل التي تصلك',
    others: 'رسائل أخرى',
    always: 'تُرسل دائمًا',
  },
  he: {
    dir: 'rtl',
    broken: ['הקישור הזה אינו פועל', 'ייתכן שנקטע או השתנה בדרך. יש לפתוח אותו שוב מההודעה.'],
    gone: ['ההודעה הזו כבר אינה מוכרת', 'לא נותר ממה להסיר.'],
    critical: ['אי אפשר לבטל הודעות אלה', 'הן כוללות את מה שצריך לדעת, למשל על החשבון.'],
    ask: 'הסרה מרשימת התפוצה?',
    stop: 'הסרה מרשימת התפוצה',
    done: 'הוסרת מרשימת התפוצה',
    noMore: 'לא יישלחו עוד הודעות בנושא „{}”.',
    noMoreOfAll: 'לא יישלחו עוד הודעות, מלבד הודעות חשובות.',
    again: 'הצטרפות מחדש',
    back: 'הצטרפת מחדש',
    more: 'ההודעות בנושא „{}” יישלחו כמו קודם.',
    moreOfAll: 'ההודעות יישלחו כמו קודם.',
    yours: 'אילו הודעות נשלחות אליך',
    others: 'הודעות אחרות',
    always: 'נשלח תמיד',
  },
}

/** The browser lists a few languages; a longer header is no browser's. */
const MAX_HEADER_CHARS = 500

/** @returns the words in the first language of `Accept-Language` that there are words in, else in English */
export function linkWords(acceptLanguage: string | undefined): { lang: string; words: LinkWords } {
  const wanted = (acceptLanguage ?? '')
    .slice(0, MAX_HEADER_CHARS)
    .split(',')
    .map((part) => {
      const [tag = '', ...params] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*/)
      const weight = Number(params.find((param) => param.startsWith('q='))?.slice(2) ?? 1)
      return { language: tag.split('-')[0] ?? '', weight: Number.isFinite(weight) ? weight : 0 }
    })
    .filter(({ language, weight }) => weight > 0 && Object.hasOwn(WORDS, language))
    .sort((left, right) => right.weight - left.weight)
  const lang = wanted[0]?.language ?? 'en'
  return { lang, words: WORDS[lang] as LinkWords }
}
