"""The keys of the session state: what is remembered of a visitor between two runs of a page.

A key that ends in a hyphen is followed by what it is kept for. Keys of widgets are here where code
reads or sets their values.
"""

# Addresses and what they show
VIEW = "view"  # View: what Explore shows
WRITTEN_ADDRESS = "written-address"  # dict: the parameters that Explore wrote last
VIEW_CHANGED = "view-changed"  # bool: whether the view changed on the page, not by the address
ADDRESS_OF = "address-of-"  # + page; dict: the parameters that the page wrote last
CHANGED_ON = "changed-on-"  # + page; bool: whether what it shows was changed on it
SELECTIONS_EPOCH = "selections-epoch-"  # + page; int: how often its charts and tables were reset
SELECTIONS_DRAWN = "selections-drawn-"  # + page; set of str: keys of its charts and tables

# Dialogs and the browser
DIALOG_DONE = "dialog-done"  # bool: whether the dialog is to close
DIALOG_LEFT = "dialog-left"  # str: the button whose dialog was left, until the page is drawn anew
SIGNED_IN = "signed-in"  # str: who is noted as signed in
TOKEN_CREATED = "token-created"  # str: the text of the access token that was just created
TOKEN_PROBLEM = "token-problem"  # str: why none was created or revoked
TOKEN_NAME = "token-name"  # widget
TOKEN_DAYS = "token-days"  # widget
TOKEN_SCOPE = "token-scope"  # widget
REDUCED_MOTION = "reduced-motion"  # bool: whether the browser asks for reduced motion
PUT_BACK = "put-back-"  # + kind; (str, bool): the sentence on what was restored, and its success

# Explore: the question and its answer
QUERY = "query"  # widget
DESCRIPTION = "description"  # widget
LIBRARY = "library"  # widget
METHOD = "method"  # widget
CONTEXT = "context"  # widget
TOP_K = "top-k"  # widget
STRICTNESS = "strictness"  # widget
N_CLUSTERS = "groups"  # widget
LISTING = "listing"  # widget
REFINING = "refining"  # bool: whether the options are open
CORRECTING = "correcting"  # bool: whether the tools that correct groups are open
LEVELS = "levels"  # widget
PROJECTION = "map"  # widget
DIVIDE_BY = "divide-by"  # widget: the question that the same passages are grouped under
EXPECTED = "expected"  # widget: names of subtopics that are to have groups
KEEP = "keep"  # widget: whether the hits are kept
SIDE = "side"  # widget: the map of kept hits that is shown, "before" or "after"
RANKINGS = "rankings"  # dict: the hits of the last search, by what decides them
GROUPINGS = "groupings"  # dict: the last groupings and dendrograms, by what decides them
ANSWERS = "answers"  # dict: the last answers, by view and model
REGROUPING = "regrouping"  # (SubtopicMap, SubtopicMap, Regrouping): two groupings of kept hits
SHOWN_VIEW = "shown-view"  # View: the last one that was answered
STOPPED = "stopped"  # tuple: the grouping that the visitor stopped
OPENED_SESSIONS = "opened-sessions"  # dict: Opened by the id of the session
EXPLAINER = "explainer"  # (groups, groups before corrections, Explainer)
STABILITY = "stability"  # (groups, dict): how stable each group is
STABILITY_CURVE = "stability-curve"  # (grounds, StabilityCurve)
MARKED_WORDS = "marked-words"  # (Explainer, dict): Explanation by the id of the passage
PARTS = "parts"  # (key, dict): the parts of each group
NEIGHBOURHOODS = "neighbourhoods"  # (key, Future): the neighbourhood map
N_CARDS = "n-cards"  # dict: how many groups were drawn last
ALL_HITS_OF = "all-hits-of"  # Ranking: the one of which all hits are listed
ALL_CHOSEN = "all-chosen-of"  # tuple of str: the chosen passages that are all listed
GROUPS_WANTED = "groups-wanted"  # (hits, bool): whether to group an unanswered question's hits
GROUPS_SWITCH = "unanswered-groups"  # widget: the same

# Explore: corrections, what is saved, sessions
DESKS = "desks"  # dict: Desk by what the corrections belong to
CORRECTED = "corrected"  # list: (groups, edits, language, Corrected) of the last answers
CHOSEN_WORDS = "correct-typed"  # widget: words that the passages to choose hold
CHOSEN_IDS = "chosen-ids"  # list of str: passages that are ticked in the dialog
PICKED = "correct-pick-"  # widget + passage: whether it is ticked
GROUP_NAME = "correct-name-"  # widget + field: name that a group is to have
OTHER_NAMES = "correct-names"  # list of str: what else the group might be called
OTHER_NAME = "correct-other-"  # widget + field: one of them
NAME_REJECTED = "name-rejected"  # str: why that name was rejected
MOVE_NAME = "move-name"  # widget: name of the new group that a passage moves to
SAVE_NAME = "save-name"  # widget
SAVE_KIND = "save-what"  # widget: "corrections" or "session"
SAVE_REJECTED = "save-rejected"  # str: why nothing was saved
SAVED_CORRECTIONS = "corrections-which"  # widget: name of the saved corrections that are chosen
DELETE_CORRECTIONS = "corrections-sure"  # widget: whether deleting them is confirmed
LEARN_FROM = "learn-from"  # widget: names of the saved corrections to learn from
SAVED_SESSION = "session-chosen"  # widget: id of the saved session that is chosen
DELETE_SESSION = "session-sure-"  # widget + session: whether deleting it is confirmed
RENAME_SESSION = "session-rename-"  # widget + session: its new name
SESSIONS_SAID = "sessions-said"  # (str, str): "done" or "wrong", and the sentence

# Explore: a whole collection
EXPLORE_MODE_SHOWN = "explore-mode-shown"  # str: "question" or "collection"
EXPLORE_MODE_CHANGED = "explore-mode-changed"  # bool: whether it was changed on the page
THEMES_SHOWN = "themes-shown"  # Shown: library, themes and the open theme
THEMES_WRITTEN = "themes-written"  # dict: the parameters that the page wrote last
THEMES_CHANGED = "themes-changed"  # bool: whether what is shown was changed on the page

# Compare
COMPARE_VIEW = "compare-view"  # CompareView: what Compare shows
COMPARE_EXPLORED = "compare-explored"  # View: the one of Explore that was taken over last
COMPARE_QUERY = "compare-query"  # widget
COMPARE_LIBRARY = "compare-library"  # widget
COMPARE_TOP_K = "compare-top-k"  # widget
COLUMNS_OPEN = "columns-are-open"  # bool: whether the options of the columns are open
COMPARE_BETWEEN = "compare-between"  # widget: the two columns whose differences are listed
COMPARE_QUESTIONS = "compare-questions"  # widget: questions to compare over, one a line
COMPARE_RANKING = "compare-ranking"  # (key, Ranking): the hits that all columns share
COMPARE_GROUPINGS = "compare-groupings"  # dict: groups by column and model
COMPARISON = "comparison"  # (key, Comparison)
COMPARE_RESULTS = "compare-results"  # (key, OverQueries): the comparison over many questions

# Library
LIBRARY_DELETE_NAME = "library-delete-name"  # widget + library: its name, typed to delete it
LIBRARY_DELETE_PROBLEM = "library-delete-refused"  # str: why it was not deleted
LIMIT_PROBLEM = "library-limit-refused"  # str: why it was not limited to teams
LIBRARY_RUNNING = "library-strip-of"  # tuple of str: ids of the jobs that were running
BACKUP_FILE = "library-restore-file"  # ReceivedFile: the backup to restore
BACKUP_ROUND = "library-restore-round"  # int: how often its upload field was emptied
IMPORT_TARGET = "library-import-into"  # str: the library that documents are added to
LIBRARY_VIEW = "library-show"  # widget
LIBRARY_OPENED = "library-opened"  # str: the open library
LIBRARY_JOB = "library-shown-job"  # str: id of the open job
LIBRARY_STARTED = "library-after"  # str: id of a job that was just started
LIBRARY_NEXT = "library-next-view"  # str: the view to show when the page is drawn again
LIBRARY_DONE = "library-said"  # str: the sentence on the last change
LIVE_ANSWER = "live-answer"  # _Answer: the last search of a live source
LIVE_IMPORTED = "live-kept"  # (IngestReport or None, str): what became of the imported hits
HARVEST_PROBLEM = "library-harvest-failed"  # str: why no harvest was started
IMPORT_FILES = "library-import-files"  # list of ReceivedFile
IMPORT_ROUND = "library-import-round"  # int: how often the upload field was emptied
IMPORT_REJECTED = "library-import-rejected"  # list of str: why files were rejected
IMPORT_PROBLEM = "library-import-failed"  # str: why no import was started
IMPORT_LIBRARY = "library-import-library"  # widget
IMPORT_COLLECTION = "library-import-collection"  # widget + round
BROWSE_PAGE = "library-page-of"  # ((library, filters), int): the page of the table
BROWSE_ROUND = "library-filter-round"  # int: how often the filters were cleared

# Train
SET_PROBLEM = "train-not-kept"  # str: why a set was not stored
TRIAL_ASKER = "train-trial-asker"  # str: stands for the visitor among those who try trainings
SETTING_RESETS = "settings-resets"  # dict: how often the settings of a method were reset
WALK = "train-walk"  # Walk: the way to a new training
SET_UPLOADS = "train-uploads"  # int: how often the upload fields were emptied
TRAIN_JOB = "train-shown-run"  # str: id of the open training
TRAIN_STARTED = "train-next-run"  # str: id of a training that was just started
PROMOTE_PROBLEM = "train-not-promoted"  # str: why a model was not promoted
SET_REJECTED = "train-rejected"  # (str, str or None): id of an upload, and why it was rejected

# Models
MODELS_SAID = "models-said"  # (str, bool): the sentence on the last action, and its success
MODEL_FILE = "models-file"  # widget + uploads
MODEL_FILE_NAME = "models-file-name"  # widget
MODEL_UPLOADS = "models-uploads"  # int: how often the upload field was emptied

# Explore: finding themes
THEMES_PROBLEM = "themes-not-started"  # str: why no themes are being found
THEMES_CORRECTIONS = "themes-corrections"  # widget: names of the corrections to learn from
THEMES_MORE = "themes-more"  # dict: how many more texts of a theme are listed

# Language
LANGUAGE_CHOSEN = "chosen language"  # str
LANGUAGE_WRITTEN = "language in the address"  # str: the one that the address had last
LANGUAGE_SWITCH = "language"  # widget
LANGUAGE_DRAWN = "language drawn"  # str: that of the last run

# Jobs
JOB_STATES = "job-states-"  # + page; tuple: what the page around the list depends on
ALL_JOBS = "all-jobs-"  # + page; bool: whether all ended jobs are listed
