/** Desktops and laptops, by the names that user agents have for them. */
const DESKTOPS =
  /\b(?:Windows|Win(?:9|NT|32|64)|Macintosh|Mac(?:OS| OS|\/)|macOS|OS X|X11|CrOS|Haiku|BeOS|AmigaOS|MorphOS|AROS|OS\/2|OpenVMS|SerenityOS|RISC OS|QNX|Inferno|Fuchsia)/i;

/** Other devices, and apps. */
const DEVICES: readonly RegExp[] = [
  // Phones, tablets and watches; feature phones and organizers by what they run or who made them.
  /\b(?:Andr[o0]id|iPhone|iPad|iPod|iOS|iPadOS|Watch ?OS|visionOS|CFNetwork|Darwin|Dalvik|HarmonyOS|OpenHarmony|ArkWeb|KAIOS|BlackBerry|BB10|PlayBook|Palm ?(?:OS|Source)|Symb(?:ian|OS)|Series ?(?:40|60)|S(?:40|60)|J2ME|MIDP|CLDC|BREW|MAUI|MeeGo|Maemo|Sailfish|Bada|Tizen|WebOS|hpwOS|Ubuntu Touch|iPh\d|jig browser|Aplix_|WAP[12]\.\d|(?:WAP|MAUI|UP)[-._ ]?(?:Browser|Link)|NetFront|Obigo|Teleca|MRE|Watch\d{1,2},\d|Nokia|SonyEricsson|SAMSUNG-|UCWEB|Garmin )/i,
  // Televisions, boxes and players.
  /\b(?:Web0S|Smart-?TV|GoogleTV|AppleTV|WebTV|tvOS|HbbTV|Hybridcast|CE-HTML|BRAVIA|NetCast|Viera|Aquos|VIDAA|VIZIO|Hisense|WhaleTV|Roku|CrKey|OMI\/|AFT[A-Z]{1,2}|YouView|Freetime|TiVo|STB|DLNADOC|InettvBrowser|NetTV|Netflix\/|Philips|Humax|Vestel|Ekioh|PBRM\/|Sonos|Maple|Espial|QtWebKit|BrightSign|Chromecast|AirPlay|gfiber|gftv|LibVLC\/|ExoPlayer)|smarttv_|_tv;|^Echo\/|;Echo[_;]/i,
  // Consoles, headsets, readers and cars.
  /\b(?:PlayStation|PSP|PS[23]|Nintendo|Xbox|Oculus|Quest|Kindle|Silk|Kobo|Nook|PocketBook|reMarkable|Tesla|QtCarBrowser|AAOS|Automotive)/i,
  // Apps that send no system, or only their own name for it.
  /\b(?:FB(?:AN|AV)\/|FB_IAB|Instagram |AliApp|Alipay|MicroMessenger|KAKAOTALK|NAVER\(|Line\/|BytedanceWebview|musical_ly|GSA\/|LinkedInApp|Snapchat|Pinterest|Twitter for|Zalo|Viber\b)/i,
  /^Mozilla\/5\.0 \((?:Mobile|Tablet|TV);/,
  // Apps that have the system in their own name.
  /(?:Android|iPhone|iPad|iOS|iPadOS|macOS|tvOS|watchOS)(?![a-z])/,
  // Apps that play media, by their names.
  /^[^/(;]{0,40}(?:player|radio|music|tuner|audiobook|podcast[s ]?[a-z]|[a-z]podcast)/i,
];

/** Whether a user agent names a device other than a desktop, or an app. */
export const namesDevice = (userAgent: string): boolean => DEVICES.some((device) => device.test(userAgent));

/** Whether a user agent names a device, a system or an app that people browse with. */
export const namesPlatform = (userAgent: string): boolean => DESKTOPS.test(userAgent) || namesDevice(userAgent);

/** Programs whose user agents begin with their own name, and with which people browse, read, listen, watch, play or write mail. */
const PROGRAMS: readonly RegExp[] = [
  // Browsers.
  /^(?:Opera|Lynx|w3m|Emacs-w3m|E?Links|edbrowse|NetSurf|Dillo|Konqueror|surf|Uzbl|UCWEB|MQQBrowser|iBrowser|OneBrowser|JUC|Xiino|Ladybird|LibWeb|Servo|Nyxt|Flow|qutebrowser|Falkon|Midori|Otter|Galeon|Arora|IBrowse|AWeb|Amiga-AWeb|Dooble|Xombrero|OmniWeb|iCab|Contiki|Retawq|Chawan|Browsh|amaya|VMS_Mosaic|NCSA_Mosaic|Mosaic|Sunrise|NetPositive|WebPositive|Cyberdog|HotJava|Charon|Fifth|NokiaBrowser|GNU IceCat|Basilisk|Qwant|QwantMobile|osmeta)(?:[(/ ]|$)/i,
  // Players and podcasts.
  /^(?:HbbTV|BrightSign|Roku|AppleTV[\d,]{0,9}|AppleCoreMedia|VLC|LibVLC|mpv|MPlayer|Lavf|ffmpeg2theora|Kodi|XBMC|iTunes|iTMS|QuickTime|Winamp|foobar2000|Audacious|Clementine|Strawberry|Amarok|Banshee|Rhythmbox|Music Player Daemon|Windows-Media-Player|NSPlayer|CorePlayer|stagefright|ExoPlayer|GStreamer|Sonos|Linux UPnP|AlexaMediaPlayer|GoogleChirp|Bose|VRadio|TuneIn|Spotify|Deezer|Overcast|Pocket ?Casts|PocketCasts|Castro|Podcasts|PodcastAddict|AntennaPod|Podkicker|Podbean|BeyondPod|Breaker|Downcast|gPodder|iCatcher!?|Podcatcher|Player FM|Castbox|RSSRadio|Podverse|Fountain|Podcast Guru|Snipd|Doughnut|Podgrab|Miro|Juice|Stitcher|Swoot|Procast|Airr|Goodpods|Airsonic|Bullhorn|Castero|CPod|doubleTwist|iVoox|Kasts|Luminary|Moon ?FM|MusicBee|MyTuner|Outcast|PeaCast|Podcastly|Podhero|PodTrapper|Podvine|Podyssey|Radioline|ServeStream|SoundOn|SoundWaves|TREBLE|Turtlecast|Ubook|uTorrent|VictorReader|Xiaoyuzhou)(?:[-_/ ]|$)/i,
  // Mail on people's machines, and what systems themselves fetch with.
  /^(?:Thunderbird|Mail|Evolution|Airmail|Postbox|Mailbird|eM Client|YahooMobileMail|NaverMailApp|Daum|Dalvik|URL\/Emacs|GOGGalaxyClient|CitrixReceiver)(?:[/ ]|$)/i,
  // What Android phones locate themselves with, and a form of browsers that chip makers gave them.
  /^Thunder\.Mozilla|^A\/\d{1,2}(?:\.\d{1,2}){0,2}\/|^[\w +-]{1,40}\/V?\d{1,2} Linux\/[\d.]{1,12}\+? Android\//,
  // Phones, by their makers.
  /^(?:Nokia|SonyEricsson|BlackBerry|SAMSUNG|SEC-|LG[-E/]|LGE|MOT|HTC|ZTE|SIE|Alcatel|SAGEM|Philips|PANTECH|Sharp|KDDI|DoCoMo|J-PHONE|Vodafone|SoftBank|WILLCOM|Palm|Huawei|Lenovo|Haier|Amoi|TIANYU|Karbonn|Micromax|GIONEE|Spice|LAVA|Fly[_ -]|itel|TECNO|Panasonic|TSM|BenQ|AIRNESS|Cricket-|R\d{3} |smarttv_)/i,
];

/** Whether a user agent begins with a program of people that has a form of its own. */
export const isPeoplesProgram = (userAgent: string): boolean => PROGRAMS.some((program) => program.test(userAgent));
