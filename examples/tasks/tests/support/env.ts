/** The environment of the tests. Imported before anything that reads it. */
process.env.TASKS_DATA = ""
process.env.TASKS_ORIGINS = "https://board.example"
process.env.TASKS_API_KEYS = "ops=correct horse,backup=battery=staple"
