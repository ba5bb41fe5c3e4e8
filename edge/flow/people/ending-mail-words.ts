// Holds the words of mails about old values of secrets that end soon, by language.

export interface EndingWords {
  subject: string
  title: string
  /** `kind`: as the API names it. */
  text: string
  used: string
  unused: string
  next: string
  button: string
}

export const ENDING_WORDS: Readonly<Record<string, EndingWords>> = {
  en: {
    subject: 'An old key of {environment} ends soon',
    title: 'An old value ends soon',
    text: 'The old {kind} of {environment} ends at {endsAt}. From then on it is refused.',
    used: 'It was last used at {lastUsedAt}: give its callers the new value, or extend the overlap.',
    unused: 'It was not used since the new value was made.',
    next: 'This mail is sent once for each value.',
    button: 'Open the secrets',
  },
  de: {
    subject: 'Ein alter Schlüssel von {environment} endet bald',
    title: 'Ein alter Wert endet bald',
    text: 'Der alte Wert von {kind} in {environment} endet am {endsAt}. Danach wird er abgelehnt.',
    used: 'Er wurde zuletzt am {lastUsedAt} benutzt: Geben Sie seinen Aufrufern den neuen Wert, oder verlängern Sie die Überlappung.',
    unused: 'Er wurde nicht mehr benutzt, seit es den neuen Wert gibt.',
    next: 'Diese E-Mail kommt einmal für jeden Wert.',
    button: 'Geheimnisse öffnen',
  },
  fr: {
    subject: 'Une ancienne clé de {environment} expire bientôt',
    title: 'Une ancienne valeur expire bientôt',
    text: 'L’ancienne valeur de {kind} dans {environment} expire le {endsAt}. Elle sera ensuite refusée.',
    used: 'Sa dernière utilisation date du {lastUsedAt} : donnez la nouvelle valeur à ses utilisateurs ou prolongez la transition.',
    unused: 'Elle n’a pas été utilisée depuis la création de la nouvelle valeur.',
    next: 'Cet e-mail est envoyé une seule fois par valeur.',
    button: 'Ouvrir les secrets',
  },
  es: {
    subject: 'Una clave antigua de {environment} caduca pronto',
    title: 'Un valor antiguo caduca pronto',
    text: 'El valor antiguo de {kind} en {environment} caduca el {endsAt}. Después se rechaza.',
    used: 'Se usó por última vez el {lastUsedAt}: da el valor nuevo a quienes lo usan o amplía la transición.',
    unused: 'No se ha usado desde que existe el valor nuevo.',
    next: 'Este correo se envía una sola vez por valor.',
    button: 'Abrir los secretos',
  },
  it: {
    subject: 'Una vecchia chiave di {environment} scade presto',
    title: 'Un vecchio valore scade presto',
    text: 'Il vecchio valore di {kind} in {environment} scade il {endsAt}. Dopo verrà rifiutato.',
    used: 'È stato usato l’ultima volta il {lastUsedAt}: fornisci il nuovo valore a chi lo usa o prolunga la transizione.',
    unused: 'Non è stato usato da quando esiste il nuovo valore.',
    next: 'Questa e-mail viene inviata una sola volta per valore.',
    button: 'Apri i segreti',
  },
  nl: {
    subject: 'Een oude sleutel van {environment} verloopt binnenkort',
    title: 'Een oude waarde verloopt binnenkort',
    text: 'De oude waarde van {kind} in {environment} verloopt op {endsAt}. Daarna wordt ze geweigerd.',
    used: 'Ze is het laatst gebruikt op {lastUsedAt}: geef de gebruikers ervan de nieuwe waarde of verleng de overlap.',
    unused: 'Ze is niet gebruikt sinds de nieuwe waarde bestaat.',
    next: 'Deze e-mail wordt één keer per waarde verstuurd.',
    button: 'Geheimen openen',
  },
  pt: {
    subject: 'Uma chave antiga de {environment} expira em breve',
    title: 'Um valor antigo expira em breve',
    text: 'O valor antigo de {kind} em {environment} expira em {endsAt}. Depois disso, ele é recusado.',
    used: 'Ele foi usado pela última vez em {lastUsedAt}: forneça o novo valor a quem o usa ou prolongue a transição.',
    unused: 'Ele não foi usado desde que o novo valor existe.',
    next: 'Este e-mail é enviado uma única vez por valor.',
    button: 'Abrir os segredos',
  },
  sv: {
    subject: 'En gammal nyckel för {environment} upphör snart',
    title: 'Ett gammalt värde upphör snart',
    text: 'Det gamla värdet för {kind} i {environment} upphör {endsAt}. Därefter avvisas det.',
    used: 'Det användes senast {lastUsedAt}: ge användarna det nya värdet eller förläng överlappningen.',
    unused: 'Det har inte använts sedan det nya värdet skapades.',
    next: 'Det här mejlet skickas en gång per värde.',
    button: 'Öppna hemligheterna',
  },
}
