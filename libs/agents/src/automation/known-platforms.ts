const DESKTOPS =
  /\b(?:Windows|Win(?:9|NT|32|64)|Macintosh|Mac(?:OS| OS|\/)|macOS|OS X|X11|CrOS|Haiku|BeOS|AmigaOS|MorphOS|AROS|OS\/2|OpenVMS|SerenityOS|RISC OS|QNX|Inferno|Fuchsia)/i;

const DEVICES: readonly RegExp[] = [
  // Phones, tablets and watches. Feature phones and PDAs are recognized by their system or manufacturer.
  /\b(?:Andr[o0]id|iPhone|iPad|iPod|iOS|iPadOS|Watch ?OS|visionOS|CFNetwork|Darwin|Dalvik|HarmonyOS|OpenHarmony|ArkWeb|KAIOS|BlackBerry|BB10|PlayBook|Palm ?(?:OS|Source)|Symb(?:ian|OS)|Series ?(?:40|60)|S(?:40|60)|J2ME|MIDP|CLDC|BREW|MAUI|MeeGo|Maemo|Sailfish|Bada|Tizen|WebOS|hpwOS|Ubuntu Touch|iPh\d|jig browser|Aplix_|WAP[12]\.\d|(?:WAP|MAUI|UP)[-._ ]?(?:Browser|Link)|NetFront|Obigo|Teleca|MRE|Watch\d{1,2},\d|Nokia|SonyEricsson|SAMSUNG-|UCWEB|Garmin )/i,
  // TVs, set-top boxes and media players.
  /\b(?:Web0S|Smart-?TV|GoogleTV|AppleTV|WebTV|tvOS|HbbTV|Hybridcast|CE-HTML|BRAVIA|NetCast|Viera|Aquos|VIDAA|VIZIO|Hisense|WhaleTV|Roku|CrKey|OMI\/|AFT[A-Z]{1,2}|YouView|Freetime|TiVo|STB|DLNADOC|InettvBrowser|NetTV|Netflix\/|Philips|Humax|Vestel|Ekioh|PBRM\/|Sonos|Maple|Espial|QtWebKit|BrightSign|Chromecast|AirPlay|gfiber|gftv|LibVLC\/|ExoPlayer)|smarttv_|_tv;|^Echo\/|;Echo[_;]/i,
  // Game consoles, VR headsets, e-readers and cars.
  /\b(?:PlayStation|PSP|PS[23]|Nintendo|Xbox|Oculus|Quest|Kindle|Silk|Kobo|Nook|PocketBook|reMarkable|Tesla|QtCarBrowser|AAOS|Automotive)/i,
  // Apps that don't send their operating system, or use a different name for it.
  /\b(?:FB(?:AN|AV)\/|FB_IAB|Instagram |AliApp|Alipay|MicroMessenger|KAKAOTALK|NAVER\(|Line\/|BytedanceWebview|musical_ly|GSA\/|LinkedInApp|Snapchat|Pinterest|Twitter for|Zalo|Viber\b)/i,
  /^Mozilla\/5\.0 \((?:Mobile|Tablet|TV);/,
  // Apps whose name contains the operating system.
  /(?:Android|iPhone|iPad|iOS|iPadOS|macOS|tvOS|watchOS)(?![a-z])/,
];

const MEDIA_APP = /^[^/(;]{0,40}(?:player|radio|music|tuner|audiobook|podcast[s ]?[a-z]|[a-z]podcast)/i;
/** Words in the names of services that fetch or process media. */
const MEDIA_SERVICE =
  /^[^/(;]{0,60}(?:analy[sz]|api\b|archiv|check|consumer|download|feed|fingerprint|import|index|ingest|metadata|pars(?:er|ing)|podcasting|probe|process|puller|scanner|search|server|service|sync|transcri|translat|valid|worker)/i;

/** Returns true if a user agent contains the name of an app or of a device other than a desktop computer. */
export const namesDevice = (userAgent: string): boolean =>
  DEVICES.some((device) => device.test(userAgent)) || (MEDIA_APP.test(userAgent) && !MEDIA_SERVICE.test(userAgent));

/** Marks of apps on phones, tablets, watches and televisions: the app's operating system, or a library for apps. */
const APP_MARKS: readonly RegExp[] = [
  /\b(?:iOS|iPadOS|iPhone(?: OS)?|iPad|tvOS|visionOS|watchOS|Android|HarmonyOS)[ /-]?v?\d/i,
  /[-_.](?:android|ios)\/\d|\/[\d.]{1,20} (?:android|ios)\b/i,
  /\b(?:Android|iOS|iPhone|iPad|Apple Watch)(?: [a-z]{1,20})? (?:app|player)\b|\b(?:phone|tablet);android\b/i,
  /\b(?:Alamofire|CFNetwork|Cronet|Dalvik|ExoPlayerLib|AndroidXMedia3)\/\d/,
  // Server programs also use okhttp, so the app must not be named like one.
  /^(?![^/]{0,80}(?:bot|crawl|spider|scrap|fetcher))[^/]{1,80}\/[^ ]{1,40} (?:.{0,200} )?okhttp\/\d/i,
];

/**
 * Returns true if a user agent has the form of an app's. Such a user agent starts with the name that the app's developer
 * chose, which can contain any word: Baby Monitor, Spider Solitaire, Python Quiz.
 */
export const hasAppForm = (userAgent: string): boolean =>
  !/^Mozilla\/|\bcompatible;/i.test(userAgent) && APP_MARKS.some((mark) => mark.test(userAgent));

/** Returns true if a user agent contains the name of a device, operating system or app that people browse with. */
export const namesPlatform = (userAgent: string): boolean => DESKTOPS.test(userAgent) || namesDevice(userAgent);

/** Media players and podcast apps, which start with these names. */
const MEDIA_PLAYER =
  /^(?:HbbTV|BrightSign|Roku|AppleTV[\d,]{0,9}|AppleCoreMedia|VLC|LibVLC|mpv|MPlayer|Lavf|ffmpeg2theora|Kodi|XBMC|iTunes|iTMS|QuickTime|Winamp|foobar2000|Audacious|Clementine|Strawberry|Amarok|Banshee|Rhythmbox|Music Player Daemon|Windows-Media-Player|NSPlayer|CorePlayer|stagefright|ExoPlayer|GStreamer|Sonos|Linux UPnP|AlexaMediaPlayer|GoogleChirp|Bose|VRadio|TuneIn|Spotify|Deezer|Overcast|Pocket ?Casts|PocketCasts|Castro|Podcasts|PodcastAddict|AntennaPod|Podkicker|Podbean|BeyondPod|Breaker|Downcast|gPodder|iCatcher!?|Podcatcher|Player FM|Castbox|RSSRadio|Podverse|Fountain|Podcast Guru|Snipd|Doughnut|Podgrab|Miro|Juice|Stitcher|Swoot|Procast|Airr|Goodpods|Airsonic|Bullhorn|Castero|CPod|doubleTwist|iVoox|Kasts|Luminary|Moon ?FM|MusicBee|MyTuner|Outcast|PeaCast|Podcastly|Podhero|PodTrapper|Podvine|Podyssey|Radioline|ServeStream|SoundOn|SoundWaves|TREBLE|Turtlecast|Ubook|uTorrent|VictorReader|Xiaoyuzhou)(?:[-_/ ]|$)/i;

/** End-user programs whose user agents start with the program name: browsers, media players, games and mail clients. */
const END_USER_PROGRAMS: readonly RegExp[] = [
  // Browsers.
  /^(?:Opera|Lynx|w3m|Emacs-w3m|E?Links|edbrowse|NetSurf|Dillo|Konqueror|surf|Uzbl|UCWEB|MQQBrowser|iBrowser|OneBrowser|JUC|Xiino|Ladybird|LibWeb|Servo|Nyxt|Flow|qutebrowser|Falkon|Midori|Otter|Galeon|Arora|IBrowse|AWeb|Amiga-AWeb|Dooble|Xombrero|OmniWeb|iCab|Contiki|Retawq|Chawan|Browsh|amaya|VMS_Mosaic|NCSA_Mosaic|Mosaic|Sunrise|NetPositive|WebPositive|Cyberdog|HotJava|Charon|Fifth|NokiaBrowser|GNU IceCat|Basilisk|Qwant|QwantMobile|osmeta)(?:[(/ ]|$)/i,
  // Desktop mail clients, and system components that fetch URLs.
  /^(?:Thunderbird|Mail|Evolution|Airmail|Postbox|Mailbird|eM Client|YahooMobileMail|NaverMailApp|Daum|Dalvik|URL\/Emacs|GOGGalaxyClient|CitrixReceiver)(?:[/ ]|$)/i,
  // Location services on Android phones, and browsers by chip makers.
  /^Thunder\.Mozilla|^A\/\d{1,2}(?:\.\d{1,2}){0,2}\/|^[\w +-]{1,40}\/V?\d{1,2} Linux\/[\d.]{1,12}\+? Android\//,
  // Phones, recognized by their manufacturer.
  /^(?:Nokia|SonyEricsson|BlackBerry|SAMSUNG|SEC-|LG[-E/]|LGE|MOT|HTC|ZTE|SIE|Alcatel|SAGEM|Philips|PANTECH|Sharp|KDDI|DoCoMo|J-PHONE|Vodafone|SoftBank|WILLCOM|Palm|Huawei|Lenovo|Haier|Amoi|TIANYU|Karbonn|Micromax|GIONEE|Spice|LAVA|Fly[_ -]|itel|TECNO|Panasonic|TSM|BenQ|AIRNESS|Cricket-|R\d{3} |smarttv_)/i,
];

/** Returns true if a user agent starts with the name of a media player or podcast app. */
export const isMediaPlayer = (userAgent: string): boolean =>
  MEDIA_PLAYER.test(userAgent) && !MEDIA_SERVICE.test(userAgent);

/** Returns true if a user agent starts with the name of a program that people use. */
export const isEndUserProgram = (userAgent: string): boolean =>
  END_USER_PROGRAMS.some((program) => program.test(userAgent)) || isMediaPlayer(userAgent);
